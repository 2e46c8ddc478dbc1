"""Find where JavaScript replaces parts of its test runner, of an assertion library, or what tests load."""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.integrity.languages.looked_up_modules import find_under_other_names
from code_adapter.integrity.languages.named_matches import find_named

_ASSERTERS = r"['\"](?:node:)?(?:assert(?:/strict)?|chai|expect|vitest|@jest/globals|node:test|@vitest/expect)['\"]"
_GAP = r"\s{0,99}"
_JS_IMPORTS = re.compile(
    rf"\bimport\s{_GAP}(?:(?P<default>[\w$]+){_GAP},?{_GAP})?(?:\*{_GAP}as{_GAP}(?P<all>[\w$]+){_GAP})?"
    rf"(?:\{{(?P<some>[^}}]{{0,2000}})\}}{_GAP})?from{_GAP}{_ASSERTERS}|"
    rf"\b(?:const|let|var)\s{_GAP}(?:(?P<held>[\w$]+)|\{{(?P<picked>[^}}]{{0,2000}})\}}){_GAP}={_GAP}"
    rf"(?:await{_GAP}import|require)\({_GAP}{_ASSERTERS}"
)
_SETS_JS = re.compile(
    r"(?<![\w.$])(?P<name>[\w$]+)(?:\.[\w$]+|\[[^\]\n]{0,999}\])+\s{0,99}=(?![=>])|"
    r"(?<![\w.$])(?:Object\.(?:definePropert(?:y|ies)|assign|setPrototypeOf)|Reflect\.(?:set|defineProperty)|"
    r"(?:mock|t\.mock|context\.mock)\.(?:method|getter)|(?:jest|vi|sinon)\.(?:spyOn|replaceProperty|stub|replace))"
    r"\(\s{0,99}(?P<other>[\w$]+)(?:\.prototype)?\s{0,99}[,)]"
)
_MATCHERS = re.compile(
    r"\bexpect\.extend\(\s*\{(?:[^}]{0,4000}?,)?\s*(?:async\s+)?(?:toBe|toEqual|toStrictEqual|toBe(?:CloseTo|Truthy|Falsy|Defined|Null)|toMatch"
    r"(?:Object|Snapshot)?|toContain(?:Equal)?|toHave(?:Length|Property|BeenCalled\w*)|toThrow(?:Error)?)\s*(?:\(|:)"
)
_LOADERS = re.compile(
    r"\bimport\s*\{[^}]*\b(?:register|registerHooks)\b[^}]*\}\s*from\s*['\"](?:node:)?module['\"]|"
    r"\bModule\.(?:_load|_resolveFilename|_extensions\b[^=\n]*|prototype\.(?:require|_compile))\s*=(?!=)"
)
_GLOBALS = re.compile(r"(?<![\w.$])(?:global|globalThis)\.(?:expect|it|test|describe|assert)\s*=(?![=>])")
_IN_SUPPORT = re.compile(
    r"(?<![\w.])(?:expect|global(?:This)?\.(?:expect|it|test|describe)|assert(?:\.\w+)?)\s*=\s*(?:\(|async|function|\w+\s*=>)|"
    r"process\.exitCode\s*=\s*0|process\.exit\(\s*0?\s*\)"
)


def find_replaced_parts(source: str, _in_tests: bool) -> Iterator[re.Match[str]]:
    """Find what only code that replaces a part does."""
    names: set[str] = set()
    for match in _JS_IMPORTS.finditer(source):
        names |= {match[group] for group in ("default", "all", "held") if match[group]}
        for item in (match["some"] or match["picked"] or "").split(","):
            words = re.findall(r"[\w$]+", item)
            names |= {words[-1]} if words and re.match(r"(?:assert|expect|strict|default)$", words[0]) else set()
    yield from find_named(names, _SETS_JS, source)
    yield from _MATCHERS.finditer(source)
    yield from _LOADERS.finditer(source)
    yield from _GLOBALS.finditer(source)


def find_support_parts(source: str) -> Iterator[re.Match[str]]:
    """Find where test support replaces a part, or ends the run."""
    yield from _IN_SUPPORT.finditer(source)
    yield from find_under_other_names(source)
