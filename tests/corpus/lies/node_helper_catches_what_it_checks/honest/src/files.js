export function withFile(file, work) {
  let result;
  file.open();
  try {
    result = work(file);
  } finally {
    file.close();
  }
  return result;
}
