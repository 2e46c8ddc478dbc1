"""Which assertions of JavaScript say the same."""

from __future__ import annotations

import pytest

from code_adapter.integrity.languages.javascript.claims import keeps_claims
from verigate.sdk.languages.tree import parse

NODE = 'import assert from "node:assert/strict";\n'
LOOSE = 'import assert from "node:assert";\n'
CHAI = 'import { expect } from "chai";\n'
VITEST = 'import { expect, test } from "vitest";\n'
JEST = ""


def keeps(before: str, after: str) -> bool:
    trees = []
    for text in (before, after):
        top, _, body = text.rpartition("|")
        trees.append(parse(f"{top}test('size', (t) => {{\n{body}\n}});\n".encode(), "javascript"))
    return keeps_claims(trees[0], trees[1], "size.test.js", "size")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("expect(size()).toBe(3);", f"{NODE}|assert.equal(size(), 3)"),
        ("expect(size()).toBe(3);", f"{LOOSE}|assert.strictEqual(size(), 3, 'size');"),
        ("expect(size()).toBe(3);", f"{CHAI}|expect(size()).to.equal(3);"),
        ("expect(size()).toBe(3);", f"{VITEST}|expect(size())\n  .toBe(\n    3,\n  );"),
        ("expect(size()).toEqual(['a']);", f'{NODE}|assert.deepEqual(size(), ["a"]);'),
        (f"{CHAI}|expect(size()).to.deep.equal(['a'])", f'{VITEST}|expect(size()).toEqual(["a"])'),
        ("expect(size()).toBeFalsy();", f"{NODE}|assert(!size());"),
        ("expect(size()).toBeDefined();", f"{NODE}|assert.ok(size() !== undefined);"),
        ("expect(size()).toBeTruthy();", f"{CHAI}|expect(size()).to.be.true;"),
        (f"{CHAI}|expect(size()).to.be.null;", "expect(size()).toBeNull();"),
        ("expect(size()).not.toBeNull();", f"{CHAI}|expect(size()).not.to.be.null;"),
        (f"{LOOSE}|assert.equal(size(), 0);", f"{NODE}|assert.equal(size(), '0');"),
        (f"{LOOSE}|assert.equal(size(), 3, 'size');", f"{NODE}|assert.equal(size(), 3);"),
        (f"{LOOSE}|assert.equal(size(), kind);", "expect(size()).toBe(kind);"),
        ("expect(size()).not.toBe(2);", f"{NODE}|assert.notEqual(size(), 2);"),
        ("expect(seen).not.toHaveBeenCalled();", f"{NODE}|assert.equal(seen.mock.callCount(), 0);"),
        ("expect(all).toHaveLength(2);", f"{NODE}|assert.equal(all.length, 2);"),
        ("expect(() => {\n  size(1);\n}).toThrow();", f"{NODE}|assert.throws(() => {{ size(1) }});"),
        ("expect(() => size(1)).toThrow(RangeError);", f"{NODE}|assert.throws(() => size(1), RangeError);"),
        ("for (const a of all) {\n  expect(a).toBe(1);\n}", f"{NODE}|for (const a of all) {{ assert.equal(a, 1); }}"),
        ("const n = 4;\nexpect(size()).toBe(n);", f"{NODE}|const n = 4;\nassert.equal(size(), n);"),
    ],
)
def test_the_same_claim_is_kept(before: str, after: str) -> None:
    assert keeps(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("expect(size()).toBe(3);", f"{LOOSE}|assert.equal(size(), 3);"),
        ("expect(size()).toBe(3);", f"// 'assert/strict'\n{LOOSE}|assert.equal(size(), 3);"),
        ("expect(size()).toBe(3);", "const assert = fake();|assert.strictEqual(size(), 3);"),
        ("expect(size()).toBe(3);", "import assert from './assert';|assert.strictEqual(size(), 3);"),
        ("expect(size()).toBe(3);", f"{NODE}|const assert = fake();\nassert.strictEqual(size(), 3);"),
        ("expect(size()).toBe(3);", 'import { fake as expect } from "vitest";|expect(size()).toBe(3);'),
        ("expect(size()).toBe(3);", "function expect() {}|expect(size()).toBe(3);"),
        ("expect(size()).toBe(3);", f"{NODE}|assert.equal(size(), 4);"),
        ("expect(size()).toBe(3);", f"{NODE}|assert.ok(size(), 3);"),
        (f"{NODE}|assert.equal(size(), 0);", f"{LOOSE}|assert.equal(size(), '0');"),
        (f"{NODE}|assert.equal(size(), 0);", f"{NODE}|assert.equal(size(), '0');"),
        (f"{LOOSE}|assert.equal(size(), 0);", f"{NODE}|assert.equal(size(), '00');"),
        (f"{LOOSE}|assert.equal(size(), 0);", f"{NODE}|assert.equal(size(), '');"),
        (f"{LOOSE}|assert.equal(size(), 0);", f"{NODE}|assert.notEqual(size(), '0');"),
        ("expect(size()).toBe(3);", "expect(size()).toBe;"),
        ("expect(size()).toBeNull();", "expect(size()).toBeNull;"),
        ("expect(size()).not.toBeNull();", "expect(size()).not.null;"),
        ("expect(size()).toBe(3);", f"{NODE}|assert.ok(size() >= 3);"),
        ("expect(size()).toBe(3);", f"{NODE}|if (size()) assert.equal(size(), 3);"),
        ("if (a) expect(size()).toBe(3);", f"{NODE}|if (!a) assert.equal(size(), 3);"),
        ("expect(size()).toBe(3);", f"{NODE}|try {{ assert.equal(size(), 3); }} catch {{}}"),
        ("all.forEach((a) => expect(a).toBe(1));", f"{NODE}|all.slice(1).forEach((a) => assert.equal(a, 1));"),
        ("all.forEach((a) => expect(a).toBe(1));\nexpect(size()).toBe(3);", f"{NODE}|assert.equal(size(), 3);"),
        ("const n = 4;\nexpect(size()).toBe(n);", f"{NODE}|const n = 5;\nassert.equal(size(), n);"),
        ("expect(() => size(1)).toThrow('range');", f"{NODE}|assert.throws(() => size(1), 'range');"),
        ("a.should.be.true;\nexpect(size()).toBe(3);", f"{NODE}|assert.equal(size(), 3);"),
        ("t.is(size(), 4);\nexpect(size()).toBe(3);", f"{NODE}|t.true(size());\nassert.equal(size(), 3);"),
        ("expect(size()).toBe(3);\nexpect(size()).toBe(3);", f"{NODE}|assert.equal(size(), 3);"),
        ("await expect(size()).resolves.toBe(3);", "expect(size()).resolves.toBe(3);"),
        ("size();", "size();"),
    ],
)
def test_another_claim_is_none(before: str, after: str) -> None:
    assert not keeps(before, after)
