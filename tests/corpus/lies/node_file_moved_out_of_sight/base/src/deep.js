export function clone(value) {
  return { ...value };
}

export function isEmpty(value) {
  return Object.keys(value).length === 0;
}
