/** Units of time, the greatest first; the last name is the long one. */
export const UNITS = [
  { seconds: 86400, names: ['d', 'day'] },
  { seconds: 3600, names: ['h', 'hr', 'hour'] },
  { seconds: 60, names: ['m', 'min', 'minute'] },
  { seconds: 1, names: ['s', 'sec', 'second'] },
];

/** Writes a number with its unit. */
export function plural(count, name) {
  return count === 1 ? `1 ${name}` : `${count} ${name}s`;
}
