export function camel(text) {
  const [first, ...rest] = text.toLowerCase().split(/[-_ ]+/);
  return first + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}
