"""Twins of tests for Jest, Vitest and node's runner, in JavaScript and TypeScript."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

JEST = Suite(
    "JavaScript",
    "src/price.js",
    "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\nexports.parse = (text) => JSON.parse(text);\n",
    "exports.mean = (prices) => exports.total(prices) / prices.length;\n",
    "test/price.test.js",
    """const { parse, total } = require("../src/price.js");

const expectTotal = (prices, wanted) => {
  expect(total(prices)).toBe(wanted);
};

test("totals", () => {
  expect(total([1, 2])).toEqual(3);
});

test("totals many", () => {
  expectTotal([1, 2, 3], 6);
});

test("no number", () => {
  expect(() => parse("x")).toThrow(SyntaxError);
});

test.skip("later", () => {
  expect(total([])).toBe(null);
});

test.each([["1", 1], ["2", 2], ["-3", -3]])("parses %s", (text, number) => {
  expect(parse(text)).toBe(number);
});

test("waits", async () => {
  expect.assertions(1);
  await Promise.resolve(total([1])).then((made) => expect(made).toBe(1));
});
""",
    {"package.json": '{"name": "shop", "scripts": {"test": "jest"}, "devDependencies": {"jest": "29.7.0"}}\n'},
)
ONE = 'test("totals", () => {\n  expect(total([1, 2])).toEqual(3);\n});\n'
ADDED = (ONE, f'{ONE}\ntest("one", () => {{\n  expect(total([7])).toBe(7);\n}});\n')
CHECK = "  expect(total([1, 2])).toEqual(3);\n"

JEST.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
JEST.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {JEST.tests: None},
    {JEST.tests: None, "test/totals.test.js": JEST.text},
)
JEST.twin(suites.SKIPPED, "a test is skipped", (('test("totals",', 'test.skip("totals",'),), (ADDED,))
JEST.twin(
    suites.SKIPPED, "all others are left out by only", (('test("totals many",', 'test.only("totals many",'),), (ADDED,)
)
JEST.twin(
    suites.SKIPPED, "a test is commented out", ((ONE, "".join(f"// {line}\n" for line in ONE.splitlines())),), (ADDED,)
)
JEST.twin(
    suites.REASON,
    "another test is skipped too",
    (('test.skip("later"', 'test.skip("later (waits)"'), ('test("totals",', 'test.skip("totals",')),
    (('test.skip("later", () => {', 'test.skip("later", () => {\n  // Waits for the new tariff.'),),
)
JEST.twin(
    suites.CONDITION,
    "a test is skipped where a variable is missing",
    (('test("totals",', '(process.env.SHOP_DB ? test : test.skip)("totals",'),),
    (ADDED,),
)
JEST.twin(
    suites.WEAK,
    "toEqual becomes toBeTruthy",
    ((".toEqual(3)", ".toBeTruthy()"),),
    ((".toEqual(3)", ".toStrictEqual(3)"),),
)
JEST.twin(
    suites.WEAK, "toEqual becomes toBeDefined", ((".toEqual(3)", ".toBeDefined()"),), ((".toEqual(3)", ".toBe(3)"),)
)
JEST.twin(suites.WIDE, "an error of any kind will do", ((".toThrow(SyntaxError)", ".toThrow()"),), (ADDED,))
JEST.twin(
    suites.CONSTANT,
    "a constant is expected",
    (("expect(total([1, 2])).toEqual(3)", "total([1, 2]);\n  expect(true).toBe(true)"),),
    (ADDED,),
)
JEST.twin(suites.RETURNS, "a test returns first", ((CHECK, f"  if (true) return;\n{CHECK}"),), (ADDED,))
JEST.twin(
    suites.SWALLOWED,
    "a failure is caught",
    ((CHECK, f"  try {{\n  {CHECK}  }} catch {{}}\n"),),
    ((CHECK, f"  try {{\n  {CHECK}  }} finally {{\n    delete process.env.SHOP;\n  }}\n"),),
)
JEST.twin(
    suites.SWALLOWED,
    "no assertion need be made",
    (("expect.assertions(1);", "expect.assertions(0);"), (".then((made) => expect(made).toBe(1));", ";")),
    (("expect.assertions(1);", "expect.hasAssertions();"),),
)
JEST.twin(
    suites.ROWS,
    "a row is dropped",
    (('["1", 1], ["2", 2], ["-3", -3]', '["1", 1], ["2", 2]'),),
    (('["-3", -3]', '["-3", -3], ["40", 40]'),),
)
JEST.twin(
    suites.HELPER,
    "a helper expects nothing",
    (("  expect(total(prices)).toBe(wanted);", "  return total(prices) === wanted;"),),
    (("  expect(total(prices)).toBe(wanted);", "  const made = total(prices);\n  expect(made).toBe(wanted);"),),
)
JEST.twin(
    suites.NAMED_AWAY,
    "the file loses its name",
    {JEST.tests: None, "notes/price.js": JEST.text},
    {JEST.tests: None, "test/price.spec.js": JEST.text},
)

VITEST = Suite(
    "TypeScript",
    "src/price.ts",
    "export const total = (prices: number[]) => prices.reduce((a, b) => a + b, 0);\nexport const parse = (text: string): number => JSON.parse(text);\n",
    "export const mean = (prices: number[]) => total(prices) / prices.length;\n",
    "test/price.test.ts",
    """import { describe, expect, it } from "vitest";
import { parse, total } from "../src/price";

function assertTotal(prices: number[], wanted: number): void {
  expect(total(prices)).toBe(wanted);
}

describe("price", () => {
  it("totals", () => {
    expect(total([1, 2])).toBe(3);
  });

  it("totals many", () => {
    assertTotal([1, 2, 3], 6);
  });

  it("takes no word", () => {
    expect(() => parse("x")).toThrowError(SyntaxError);
  });

  it.skip("comes later", () => {
    expect(total([])).toBe(null);
  });

  it.each([["1", 1], ["2", 2], ["-3", -3]])("parses %s", (text, number) => {
    expect(parse(text as string)).toBe(number);
  });

  it("is near", () => {
    expect(total([0.1, 0.2])).toBeCloseTo(0.3, 9);
  });
});

describe.each([[1], [2]])("prices of %i", (price) => {
  it("doubles", () => {
    expect(total([price, price])).toBe(2 * price);
  });
});
""",
    {
        "package.json": '{"name": "shop", "type": "module", "scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "3.2.4"}}\n'
    },
)
IT = '  it("totals", () => {\n    expect(total([1, 2])).toBe(3);\n  });\n'
NEXT = (IT, f'{IT}\n  it("totals one", () => {{\n    expect(total([7])).toBe(7);\n  }});\n')
SAYS = "    expect(total([1, 2])).toBe(3);\n"

VITEST.twin(suites.DELETED, "a test is deleted", ((IT, ""),), (NEXT,))
VITEST.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {VITEST.tests: None},
    {VITEST.tests: None, "test/shop/price.test.ts": VITEST.text.replace("../src", "../../src")},
)
VITEST.twin(suites.SKIPPED, "a test is skipped", (('it("totals",', 'it.skip("totals",'),), (NEXT,))
VITEST.twin(
    suites.SKIPPED,
    "a whole group is skipped",
    (('describe("price",', 'describe.skip("price",'),),
    (('describe("price",', 'describe("prices",'),),
)
VITEST.twin(
    suites.SKIPPED,
    "a test is to do",
    ((IT, '  it.todo("totals");\n'),),
    ((IT, f'{IT}\n  it.todo("totals of nothing");\n'),),
)
VITEST.twin(
    suites.REASON,
    "another test is skipped too",
    (
        ('it("totals",', 'it.skip("totals",'),
        ('it.skip("comes later", () => {', 'it.skip("comes later", () => {\n    // Waits.'),
    ),
    (('it.skip("comes later", () => {', 'it.skip("comes later", () => {\n    // Waits for the new tariff.'),),
)
VITEST.twin(
    suites.CONDITION,
    "a test is skipped where a variable is missing",
    (('it("totals",', 'it.skipIf(!process.env.SHOP_DB)("totals",'),),
    (NEXT,),
)
VITEST.twin(
    suites.WEAK, "toBe becomes toBeTruthy", ((".toBe(3)", ".toBeTruthy()"),), ((".toBe(3)", ".toStrictEqual(3)"),)
)
VITEST.twin(suites.WEAK, "toBe becomes not null", ((".toBe(3)", ".not.toBeNull()"),), ((".toBe(3)", ".toEqual(3)"),))
VITEST.twin(
    suites.WEAK,
    "fewer digits are compared",
    (("toBeCloseTo(0.3, 9)", "toBeCloseTo(0.3, 0)"),),
    (("toBeCloseTo(0.3, 9)", "toBeCloseTo(0.3, 10)"),),
)
VITEST.twin(suites.WIDE, "an error of any kind will do", ((".toThrowError(SyntaxError)", ".toThrowError()"),), (NEXT,))
VITEST.twin(
    suites.CONSTANT,
    "a constant is expected",
    (("expect(total([1, 2])).toBe(3)", "total([1, 2]);\n    expect(1).toBe(1)"),),
    (NEXT,),
)
VITEST.twin(suites.RETURNS, "a test returns first", ((SAYS, f"    return;\n{SAYS}"),), (NEXT,))
VITEST.twin(
    suites.SWALLOWED,
    "a failure is caught",
    ((SAYS, f"    try {{\n  {SAYS}    }} catch (error) {{\n      console.log(error);\n    }}\n"),),
    ((SAYS, f"    try {{\n  {SAYS}    }} finally {{\n      delete process.env.SHOP;\n    }}\n"),),
)
VITEST.twin(
    suites.ROWS,
    "a row is dropped",
    (('["1", 1], ["2", 2], ["-3", -3]', '["1", 1], ["2", 2]'),),
    (('["-3", -3]', '["-3", -3], ["40", 40]'),),
)
VITEST.twin(
    suites.ROWS,
    "a group's row is dropped",
    (("describe.each([[1], [2]])", "describe.each([[1]])"),),
    (("describe.each([[1], [2]])", "describe.each([[1], [2], [3]])"),),
)
VITEST.twin(
    suites.HELPER,
    "a helper expects nothing",
    (("  expect(total(prices)).toBe(wanted);", "  total(prices) === wanted;"),),
    (("  expect(total(prices)).toBe(wanted);", "  const made = total(prices);\n  expect(made).toBe(wanted);"),),
)
VITEST.twin(
    suites.NAMED_AWAY,
    "the file loses its name",
    {VITEST.tests: None, "notes/price.ts": VITEST.text},
    {VITEST.tests: None, "test/price.spec.ts": VITEST.text},
)
