export function where(conditions) {
  return Object.entries(conditions)
    .map(([column, value]) => `${column} = '${value}'`)
    .join(' AND ');
}
