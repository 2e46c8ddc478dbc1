export function camel(text) {
  return text.toLowerCase().replace(/[-_ ]+(.)/g, (_, letter) => letter.toUpperCase());
}
