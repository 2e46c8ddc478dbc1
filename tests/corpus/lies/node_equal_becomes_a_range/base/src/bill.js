export function bill(lines, tax) {
  const net = lines.reduce((sum, line) => sum + line.price * line.count, 0);
  return net + Math.round((net * tax) / 100);
}
