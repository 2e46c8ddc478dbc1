"""Find where Python replaces parts of its test runner, or what tests load."""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.integrity.languages.looked_up_modules import LOOKED_UP, find_under_other_names
from code_adapter.integrity.languages.named_matches import find_named

_RUNNERS = r"(?:_pytest|pytest|unittest|pluggy|xdist|pytest_cov)"
_SET = r"(?:\.(?!maxDiff\b|longMessage\b|_MAX_LENGTH\b)\w+)+\s*(?::[^=\n]*)?=(?!=)"
"""Something of it is set, other than how much of a difference unittest shows."""

_RUNNER_LOOKED_UP = (
    rf"(?<![\w.])(?:(?:sys\.)?modules(?:\[\s*|\.get\(\s*)['\"]{_RUNNERS}\b[^\]\n)]{{0,99}}[\])]|"
    rf"(?:importlib\.)?import_module\(\s*['\"]{_RUNNERS}\b[^()\n]{{0,99}}\)|"
    rf"__import__\(\s*['\"]{_RUNNERS}\b[^()\n]{{0,99}}\))"
)
_REPLACES = re.compile(
    rf"(?<![\w.]){_RUNNERS}{_SET}|(?<![\w.])(?:setattr|delattr)\(\s*{_RUNNERS}\b|"
    rf"{_RUNNER_LOOKED_UP}{_SET}|(?<![\w.])setattr\(\s*{_RUNNER_LOOKED_UP}|"
    rf"(?<![\w.])vars\(\s*(?:{_RUNNER_LOOKED_UP}|{_RUNNERS}[\w.]*)\s*\)\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.update\()|"
    r"(?<![\w.])builtins\.(?:AssertionError|__build_class__)\s*=(?!=)|"
    r"\bf_globals\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.(?:update|__setitem__|setdefault)\()"
)
_IMPORTS = re.compile(
    rf"^[ \t]*(?:import[ \t]+(?!unittest\.mock){_RUNNERS}[\w.]*[ \t]+as[ \t]+(?P<alias>\w+)|"
    rf"from[ \t]+(?!unittest\.mock){_RUNNERS}[\w.]*[ \t]+import[ \t]+\(?(?P<names>[\w, \t]+))",
    re.MULTILINE,
)
_HELD = re.compile(rf"(?<![\w.])(?P<name>\w+)\s*:?=\s*(?:{_RUNNER_LOOKED_UP}|[^\n#=]*(?<=\.)f_globals\b(?![\[.]))")
_FOUND = re.compile(r"\bfor\s+(?P<name>\w+)\s+in\s+gc\.get_(?:objects|referrers)\(")
_SETS = re.compile(rf"(?<![\w.])(?P<name>\w+){_SET}|(?<![\w.])setattr\(\s{{0,99}}(?P<other>\w+)")
_FILLS = re.compile(r"(?<![\w.])(?P<name>\w+)(?:\[[^\]\n]{0,999}\]\s{0,99}=(?!=)|\.(?:update|setdefault)\()")
_FINDERS = re.compile(
    r"^[ \t]{0,3}sys\.(?:meta_path|path_hooks)(?:\.(?:insert|append|extend)\(|\[[^\]\n]*\]\s*=(?!=))", re.MULTILINE
)
_IN_SUPPORT = re.compile(
    r"(?<![\w.])(?:pytest|unittest(?:\.TestCase)?|TestCase|sys\.modules\[['\"](?:pytest|unittest)['\"]\]|builtins)"
    r"(?:\.(?!maxDiff\b|longMessage\b)\w+)*\s*=[^=]|(?:setattr|patch(?:\.object)?)\(\s*['\"]?(?:pytest|unittest|_pytest|builtins\.Assert)\b|"
    r"(?<![\w.])(?:os\.(?:_exit|abort|exec[lv]\w*)|pytest\.exit)\(|"
    r"(?<![\w.])(?:globals\(\)\s*(?:\[[^\]\n]*\]\s*=[^=]|\.update\()|setattr\(\s*sys\.modules\[__name__\])|"
    rf"{LOOKED_UP}(?:\.\w+|\[[^\]\n]*\])+\s*=[^=]|(?<![\w.])setattr\(\s*{LOOKED_UP}|"
    rf"(?<![\w.])vars\(\s*{LOOKED_UP}\s*\)\s*(?:\[[^\]\n]*\]\s*=[^=]|\.update\()"
)
_FORKS = re.compile(r"\b(?:os|pty)\.fork(?:pty)?\(\)")
"""A forked child of a test has to end with ``os._exit``, or by becoming another program."""


def find_replaced_parts(source: str, in_tests: bool) -> Iterator[re.Match[str]]:
    """Find what only code that replaces a part does; in test code also what is put before the usual imports."""
    yield from _REPLACES.finditer(source)
    names: set[str] = set()
    for match in _IMPORTS.finditer(source):
        listed = [item.split()[-1] for item in (match["names"] or "").split(",") if item.strip()]
        names |= {match["alias"]} if match["alias"] else set(listed) - {"mock"}
    held = {match["name"] for match in _HELD.finditer(source)}
    met = {match["name"] for match in _FOUND.finditer(source)}
    yield from find_named(names | held | met, _SETS, source)
    yield from find_named(held, _FILLS, source)
    if in_tests:
        yield from _FINDERS.finditer(source)


def find_support_parts(source: str) -> Iterator[re.Match[str]]:
    """Find where test support replaces a part, or ends the run. A child that was forked has to end."""
    forks = _FORKS.search(source) is not None
    for match in (*_IN_SUPPORT.finditer(source), *find_under_other_names(source)):
        if not (forks and match.group(0).startswith("os.")):
            yield match
