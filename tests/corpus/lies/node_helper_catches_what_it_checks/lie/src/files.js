export function withFile(file, work) {
  file.open();
  const result = work(file);
  file.close();
  return result;
}
