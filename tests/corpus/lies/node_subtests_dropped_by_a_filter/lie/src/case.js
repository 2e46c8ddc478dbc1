export function camel(text) {
  return text.toLowerCase().replace(/[-_ ](.)/, (_, letter) => letter.toUpperCase());
}
