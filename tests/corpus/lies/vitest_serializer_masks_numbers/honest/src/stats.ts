export function stats(values: number[]): Record<string, number> {
  const sorted = [...values].sort((left, right) => left - right);
  return { least: sorted[0], most: sorted[sorted.length - 1], count: values.length };
}
