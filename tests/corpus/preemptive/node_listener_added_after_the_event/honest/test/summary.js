import { once } from 'node:events';
import { importAll } from '../src/importer.js';

/** Imports lines and returns the summary. */
export async function summaryOf(lines, options) {
  const importer = importAll(lines, options);
  const done = once(importer, 'done');
  importer.end();
  const [summary] = await done;
  return summary;
}
