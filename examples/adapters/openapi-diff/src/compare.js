// SPDX-License-Identifier: Apache-2.0
// What one OpenAPI document takes away from those who were written for another. No input, no output.
const METHODS = ["delete", "get", "head", "options", "patch", "post", "put", "trace"];
const MOST_REFERENCES = 50;

/** "GET /users" -> {operation, shared parameters of its path, document}; references inside the document are followed. */
export function operations(document) {
  const found = new Map();
  for (const [path, given] of Object.entries(document?.paths ?? {})) {
    const item = target(document, given);
    for (const method of METHODS) {
      if (item?.[method]) {
        found.set(`${method.toUpperCase()} ${path}`, { operation: item[method], shared: item.parameters ?? [], document });
      }
    }
  }
  return found;
}

/** What breaks callers, sorted: {operation, kind, what}. */
export function breaking(before, after) {
  const found = [];
  for (const [key, old] of before) {
    const now = after.get(key);
    const report = (kind, what) => found.push({ operation: key, kind, what });
    if (!now) {
      report("operation-removed", key);
      continue;
    }
    parameters(old, now, report);
    body(old, now, report);
    responses(old, now, report);
  }
  const order = ({ operation, kind, what }) => [operation, kind, what];
  return found.sort((one, other) => compared(order(one), order(other)));
}

function compared(one, other) {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : one[at] < other[at] ? -1 : 1;
}

function parameters(old, now, report) {
  const before = byName(old);
  for (const [name, parameter] of byName(now)) {
    const known = before.get(name);
    if (parameter.required && !known?.required) {
      report("parameter-required", name);
    }
    typeChange(name, [old, known?.schema], [now, parameter.schema], report);
  }
}

function byName({ operation, shared, document }) {
  const listed = [...shared, ...(operation.parameters ?? [])].map((each) => target(document, each)).filter(Boolean);
  return new Map(listed.map((each) => [`${each.in} ${each.name}`, each]));
}

function body(old, now, report) {
  const [before, after] = [old, now].map(({ operation, document }) => target(document, operation.requestBody));
  if (after?.required && !before?.required) {
    report("body-required", "request body");
  }
  for (const [type, media] of Object.entries(before?.content ?? {})) {
    const kept = after?.content?.[type];
    if (after && !kept) {
      report("media-type-removed", type);
    }
    const [was, is] = [target(old.document, media.schema), target(now.document, kept?.schema)];
    for (const name of is?.required ?? []) {
      if (was && !(was.required ?? []).includes(name)) {
        report("property-required", `${type} ${name}`);
      }
    }
    for (const [name, property] of Object.entries(is?.properties ?? {})) {
      typeChange(`${type} ${name}`, [old, was?.properties?.[name]], [now, property], report);
    }
  }
}

function responses(old, now, report) {
  for (const status of Object.keys(old.operation.responses ?? {})) {
    if (!(status in (now.operation.responses ?? {}))) {
      report("response-removed", status);
    }
  }
}

function typeChange(what, [old, before], [now, after], report) {
  const [was, is] = [target(old.document, before)?.type, target(now.document, after)?.type];
  if (was !== undefined && is !== undefined && JSON.stringify(was) !== JSON.stringify(is)) {
    report("type-changed", `${what}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`);
  }
}

/** What a $ref inside the document leads to; undefined where it leads nowhere, in circles or out of the document. */
function target(document, value) {
  for (let steps = 0; value?.$ref !== undefined; steps += 1) {
    if (steps === MOST_REFERENCES || !String(value.$ref).startsWith("#/")) {
      return undefined;
    }
    const parts = value.$ref.slice(2).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    value = parts.reduce((place, part) => (Object.hasOwn(place ?? {}, part) ? place[part] : undefined), document);
  }
  return value;
}
