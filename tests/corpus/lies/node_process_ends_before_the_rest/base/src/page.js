export function page(items, number, size) {
  return items.slice(number * size, size);
}
