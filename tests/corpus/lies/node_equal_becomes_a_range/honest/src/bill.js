export function bill(lines, tax) {
  let net = 0;
  for (const { price, count } of lines) net += price * count;
  return net + Math.round((net * tax) / 100);
}
