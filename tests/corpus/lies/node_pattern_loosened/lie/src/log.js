export function line(level, text, at) {
  const time = new Date(at).toISOString().slice(0, 19);
  return `${time}Z ${level.toUpperCase()} ${text}`;
}
