export async function save(record, store) {
  store.set(record.name, record);
  return record.name;
}
