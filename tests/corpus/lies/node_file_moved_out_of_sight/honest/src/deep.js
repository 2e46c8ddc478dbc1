export function clone(value) {
  return structuredClone(value);
}

export function isEmpty(value) {
  return Object.keys(value).length === 0;
}
