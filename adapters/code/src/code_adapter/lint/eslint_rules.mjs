// Print how many rules apply to each file, as a JSON list. Arguments: a configuration or "", then the files.
import { createRequire } from 'node:module';

const [settings, ...files] = process.argv.slice(2);
const { CLIEngine, ESLint, loadESLint } = createRequire(`${process.cwd()}/`)('eslint');
const Engine = loadESLint ? await loadESLint() : ESLint;
const engine = Engine
  ? new Engine(settings ? { overrideConfigFile: settings } : {})
  : new CLIEngine(settings ? { configFile: settings } : {});
const isOn = (rule) => ![0, 'off'].includes(Array.isArray(rule) ? rule[0] : rule);
const counts = [];
for (const file of files) {
  const config = Engine ? await engine.calculateConfigForFile(file) : engine.getConfigForFile(file);
  counts.push(Object.values(config?.rules ?? {}).filter(isOn).length);
}
process.stdout.write(JSON.stringify(counts));
