export function where(conditions) {
  return Object.entries(conditions)
    .map(([column, value]) => `${column} = '${String(value).replaceAll("'", "''")}'`)
    .join(' AND ');
}
