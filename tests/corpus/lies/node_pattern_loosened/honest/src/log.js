export function line(level, text, at) {
  const time = new Date(at).toISOString();
  return [time, level.toUpperCase(), text].join(' ');
}
