// Print what standard, semistandard or ts-standard finds, as eslint's JSON. Arguments: the package, then patterns.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [name, ...patterns] = process.argv.slice(2);
const module = await import(pathToFileURL(createRequire(`${process.cwd()}/`).resolve(name)).href);
const engine = module.default ?? module;
// Up to 16 with a callback, from 17 on with a promise.
const found = await new Promise((resolve, reject) => {
  const done = (error, value) => (error ? reject(error) : resolve(value));
  const promise = engine.lintFiles(patterns, {}, done);
  if (promise?.then) promise.then(resolve, reject);
});
const results = Array.isArray(found) ? found : found.results;
const listed = results.map(({ filePath, messages, errorCount }) => ({ filePath, messages, errorCount }));
process.exitCode = listed.some((result) => result.errorCount > 0) ? 1 : 0;
process.stdout.write(JSON.stringify(listed));
