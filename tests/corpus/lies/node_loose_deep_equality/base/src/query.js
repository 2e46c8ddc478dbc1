export function parse(text) {
  return Object.fromEntries(new URLSearchParams(text));
}
