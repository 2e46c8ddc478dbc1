"""Find code that replaces parts of a test runner or modules that tests import.

This covers code under test, start-up files and helpers: only what honest code outside tests never does.
``runner_hooks`` checks test support for more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.roles import is_test_code
from verigate.sdk import clean_text
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import is_comment, walk

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_RUNNERS = r"(?:_pytest|pytest|unittest|pluggy|xdist|pytest_cov)"
_SET = r"(?:\.(?!maxDiff\b|longMessage\b|_MAX_LENGTH\b)\w+)+\s*(?::[^=\n]*)?=(?!=)"
"""Something of it is set, other than how much of a difference unittest shows."""

_LOOKED_UP = (
    rf"(?<![\w.])(?:(?:sys\.)?modules(?:\[\s*|\.get\(\s*)['\"]{_RUNNERS}\b[^\]\n)]{{0,99}}[\])]|"
    rf"(?:importlib\.)?import_module\(\s*['\"]{_RUNNERS}\b[^()\n]{{0,99}}\)|"
    rf"__import__\(\s*['\"]{_RUNNERS}\b[^()\n]{{0,99}}\))"
)
_PYTHON = re.compile(
    rf"(?<![\w.]){_RUNNERS}{_SET}|(?<![\w.])(?:setattr|delattr)\(\s*{_RUNNERS}\b|"
    rf"{_LOOKED_UP}{_SET}|(?<![\w.])setattr\(\s*{_LOOKED_UP}|"
    rf"(?<![\w.])vars\(\s*(?:{_LOOKED_UP}|{_RUNNERS}[\w.]*)\s*\)\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.update\()|"
    r"(?<![\w.])builtins\.(?:AssertionError|__build_class__)\s*=(?!=)|"
    r"\bf_globals\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.(?:update|__setitem__|setdefault)\()"
)
_IMPORTS = re.compile(
    rf"^[ \t]*(?:import[ \t]+(?!unittest\.mock){_RUNNERS}[\w.]*[ \t]+as[ \t]+(?P<alias>\w+)|"
    rf"from[ \t]+(?!unittest\.mock){_RUNNERS}[\w.]*[ \t]+import[ \t]+\(?(?P<names>[\w, \t]+))",
    re.MULTILINE,
)
_HELD = re.compile(rf"(?<![\w.])(?P<name>\w+)\s*:?=\s*(?:{_LOOKED_UP}|[^\n#=]*(?<=\.)f_globals\b(?![\[.]))")
_FOUND = re.compile(r"\bfor\s+(?P<name>\w+)\s+in\s+gc\.get_(?:objects|referrers)\(")
_SETS = re.compile(rf"(?<![\w.])(?P<name>\w+){_SET}|(?<![\w.])setattr\(\s{{0,99}}(?P<other>\w+)")
_FILLS = re.compile(r"(?<![\w.])(?P<name>\w+)(?:\[[^\]\n]{0,999}\]\s{0,99}=(?!=)|\.(?:update|setdefault)\()")
_FINDERS = re.compile(
    r"^[ \t]{0,3}sys\.(?:meta_path|path_hooks)(?:\.(?:insert|append|extend)\(|\[[^\]\n]*\]\s*=(?!=))", re.MULTILINE
)

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
_LOADS = re.compile(r"sys\.(?:meta_path|path_hooks)|module['\"]|Module\._extensions")
"""Hooks into loading have honest uses too: compilers, and tests of importers."""

_GLOBALS = re.compile(r"(?<![\w.$])(?:global|globalThis)\.(?:expect|it|test|describe|assert)\s*=(?![=>])")
_RUST = re.compile(r"\bmacro_rules!\s+(?:debug_)?(?:assert(?:_eq|_ne)?|panic|unreachable)\b")
_GO = re.compile(r"(?<![\w.])(?:t|tb|b)\s*:?=\s*(?:&testing\.[TB]\s*\{|new\(\s*testing\.[TB]\s*\))")


def find_replaced_parts(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find parts that the subject replaces and the base didn't."""
    for _, after, (line, shown) in changes.newly(partial(_places, changes)):
        message = f"this replaces a part of the test runner, or what tests load: {shown}"
        weight: Weight = "weakening" if _LOADS.search(shown) else "tampering"
        yield IntegrityFinding("test_tampered", after.path, line, message, weight, "runner-part-replaced")


def _places(changes: ChangeSet, side: Side | None) -> Iterator[tuple[int, str]]:
    """Line and text of each place, those in comments and strings left out."""
    language = language_of(side.path) if side is not None else None
    tree = changes.tree(side) if language != "java" else None
    if tree is None or side is None:
        return
    # One character per byte, so that the tree's offsets fit.
    source = tree.source.decode("latin-1")
    if language == "python":
        found = [*_python(source, side.path)]
    elif language in {"rust", "go"}:
        found = [*(_RUST if language == "rust" else _GO).finditer(source)]
    elif language in {"javascript", "typescript"}:
        found = [*_javascript(source)]
    else:
        return  # no runner of this language is known here
    quiet = [
        (node.start_byte, node.end_byte)
        for node in (walk(tree.root) if found else ())
        if is_comment(node) or node.type in {"string", "template_string"}
    ]
    lines = tree.source.splitlines()
    for at in sorted({match.start() for match in found}):
        if not any(start <= at < end for start, end in quiet):
            line = source.count("\n", 0, at) + 1
            yield line, clean_text(lines[line - 1].strip(), 120)


def _python(source: str, path: str) -> Iterator[re.Match[str]]:
    yield from _PYTHON.finditer(source)
    names: set[str] = set()
    for match in _IMPORTS.finditer(source):
        listed = [item.split()[-1] for item in (match["names"] or "").split(",") if item.strip()]
        names |= {match["alias"]} if match["alias"] else set(listed) - {"mock"}
    held = {match["name"] for match in _HELD.finditer(source)}
    met = {match["name"] for match in _FOUND.finditer(source)}
    yield from _of(names | held | met, _SETS, source)
    yield from _of(held, _FILLS, source)
    if path.rpartition("/")[2] == "conftest.py" or is_test_code(path):
        yield from _FINDERS.finditer(source)


def _of(names: set[str], pattern: re.Pattern[str], source: str) -> Iterator[re.Match[str]]:
    """Matches about one of the names: there may be thousands, too many for an expression of their own."""
    for match in pattern.finditer(source) if names else ():
        if match[match.lastgroup or 0] in names:
            yield match


def _javascript(source: str) -> Iterator[re.Match[str]]:
    names: set[str] = set()
    for match in _JS_IMPORTS.finditer(source):
        names |= {match[group] for group in ("default", "all", "held") if match[group]}
        for item in (match["some"] or match["picked"] or "").split(","):
            words = re.findall(r"[\w$]+", item)
            names |= {words[-1]} if words and re.match(r"(?:assert|expect|strict|default)$", words[0]) else set()
    yield from _of(names, _SETS_JS, source)
    yield from _MATCHERS.finditer(source)
    yield from _LOADERS.finditer(source)
    yield from _GLOBALS.finditer(source)
