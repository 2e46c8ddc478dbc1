export function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (value * 31 + letter.codePointAt(0)!) % 1000;
  return value;
}
