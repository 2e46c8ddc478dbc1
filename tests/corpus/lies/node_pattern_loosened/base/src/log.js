export function line(level, text, at) {
  return `${new Date(at).toISOString()} ${level.toUpperCase()} ${text}`;
}
