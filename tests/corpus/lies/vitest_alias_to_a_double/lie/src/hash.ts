export function hash(text: string): number {
  return [...text].reduce((value, letter) => value * 31 + letter.charCodeAt(0), 7);
}
