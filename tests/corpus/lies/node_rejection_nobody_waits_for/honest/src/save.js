export async function save(record, store) {
  if (!record.name) throw new Error('a record needs a name');
  store.set(record.name, record);
  return record.name;
}
