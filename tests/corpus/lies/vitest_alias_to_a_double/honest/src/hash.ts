export function hash(text: string): number {
  return [...text].reduce((value, letter) => (value * 31 + letter.codePointAt(0)!) % 1000, 7);
}
