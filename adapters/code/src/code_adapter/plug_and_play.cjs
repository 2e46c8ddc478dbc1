// Prints the packages that a workspace may require, as Yarn's Plug'n'Play has them: version, and programs by name.
// The loader is in NODE_OPTIONS; the folder of the workspace is the argument.
// API: https://yarnpkg.com/advanced/pnpapi
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const folder = path.join(process.argv[2], "/");
const pnp = require("node:module").findPnpApi(folder);

const found = {};
for (const locator of [pnp.findPackageLocator(folder), pnp.topLevel]) {
  const workspace = locator && pnp.getPackageInformation(locator);
  for (const [name, reference] of workspace ? workspace.packageDependencies : []) {
    if (reference === null || name in found) continue;
    const { packageLocation } = pnp.getPackageInformation(pnp.getLocator(name, reference));
    let manifest;
    try {
      manifest = JSON.parse(fs.readFileSync(path.join(packageLocation, "package.json"), "utf8"));
    } catch {
      continue;
    }
    const bin = typeof manifest.bin === "string" ? { [name.split("/").pop()]: manifest.bin } : manifest.bin || {};
    const programs = Object.entries(bin).map(([key, value]) => [key, path.join(packageLocation, value)]);
    found[name] = { version: manifest.version, programs: Object.fromEntries(programs) };
  }
}
process.stdout.write(`\n${JSON.stringify(found)}`);
