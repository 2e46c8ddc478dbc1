export function bill(lines, tax) {
  return lines.reduce((sum, line) => {
    const net = sum + line.price * line.count;
    return net + Math.round((net * tax) / 100);
  }, 0);
}
