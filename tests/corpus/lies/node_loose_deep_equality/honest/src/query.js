export function parse(text) {
  const pairs = [...new URLSearchParams(text)];
  return Object.fromEntries(pairs.map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]));
}
