export function stats(values: number[]): Record<string, number> {
  const sorted = [...values].sort();
  return { least: sorted[0], most: sorted[sorted.length - 1], count: values.length };
}
