import { EventEmitter } from 'node:events';
import { parseRecord, summarize } from './records.js';

/** Reads lines, and emits 'record', 'bad' and at the end 'done' with a summary. */
export class Importer extends EventEmitter {
  #records = [];
  #bad = 0;
  #limit;

  constructor({ limit = Infinity } = {}) {
    super();
    this.#limit = limit;
  }

  push(line) {
    const record = parseRecord(line);
    if (record === null) {
      this.#bad += 1;
      this.emit('bad', line);
    } else if (this.#records.length < this.#limit) {
      this.#records.push(record);
      this.emit('record', record);
    }
    return this;
  }

  end() {
    this.emit('done', { ...summarize(this.#records), bad: this.#bad });
    return this;
  }
}

export function importAll(lines, options) {
  const importer = new Importer(options);
  lines.forEach((line) => importer.push(line));
  return importer;
}
