// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";

import { breaking, operations } from "../src/compare.js";

const document = (operation, more = {}) => ({ openapi: "3.1.0", paths: { "/a": { get: operation } }, ...more });
const found = (before, after) => breaking(operations(before), operations(after)).map(({ kind, what }) => `${kind} ${what}`);

test("an operation that is gone", () => {
  assert.deepEqual(found(document({}), { openapi: "3.1.0", paths: {} }), ["operation-removed GET /a"]);
  assert.deepEqual(found({ openapi: "3.1.0", paths: {} }, document({})), []);
});

test("a parameter that is required now, also by reference", () => {
  const parameter = { name: "page", in: "query", required: true };
  assert.deepEqual(found(document({}), document({ parameters: [parameter] })), ["parameter-required query page"]);
  const shared = { components: { parameters: { page: parameter } } };
  const referring = document({ parameters: [{ $ref: "#/components/parameters/page" }] }, shared);
  assert.deepEqual(found(document({}), referring), ["parameter-required query page"]);
  assert.deepEqual(found(referring, referring), []);
});

test("a type that changes, a property that is required now, a body that is", () => {
  const body = (required, schema) =>
    document({ requestBody: { required, content: { "application/json": { schema } } } });
  const before = body(false, { type: "object", properties: { n: { type: "integer" } } });
  const after = body(true, { type: "object", properties: { n: { type: "string" } }, required: ["n"] });
  assert.deepEqual(found(before, after), [
    "body-required request body",
    "property-required application/json n",
    'type-changed application/json n: "integer" -> "string"',
  ]);
});

test("references in circles and out of the document end", () => {
  const circle = { components: { parameters: { a: { $ref: "#/components/parameters/a" } } } };
  const referring = document({ parameters: [{ $ref: "#/components/parameters/a" }, { $ref: "https://x.example" }] }, circle);
  assert.deepEqual(found(referring, referring), []);
});
