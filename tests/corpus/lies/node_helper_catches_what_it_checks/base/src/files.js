export function withFile(file, work) {
  file.open();
  try {
    return work(file);
  } finally {
    file.close();
  }
}
