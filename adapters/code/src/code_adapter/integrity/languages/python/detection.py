"""Find code of Python that finds out whether it is being tested, or equals whatever it is compared with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_A_TEST = r"['\"][^'\"\n]*(?:\btest_|_test\b|\.py::)[^'\"\n]*['\"]"
_RUNNER = r"['\"](?:_?pytest|py\.test|unittest|nose2?|coverage|jest|vitest|mocha)\b[\w.]*['\"]"
DETECTION = re.compile(
    rf"{_RUNNER}\s+(?:not\s+)?in\s+(?:\w+\.)*(?:modules|argv)\b|"
    rf"(?<!\w)modules(?:\.get\(|\[)\s*{_RUNNER}|"
    rf"{_RUNNER}\s+(?:not\s+)?in\s+(?:\w+\.)*argv\[|"
    rf"\bargv\b[^\n]{{0,80}}{_A_TEST}|{_A_TEST}[^\n]{{0,80}}\bargv\b|/proc/[^'\"\n]*/cmdline|"
    r"['\"](?:PYTEST_(?:CURRENT_TEST|VERSION|XDIST_WORKER)|COVERAGE_(?:RUN|PROCESS_START))['\"]|"
    # What a run of tests is given by whoever starts it.
    r"['\"](?:PYTEST_ADDOPTS|COVERAGE_FILE)['\"](?!\s*:|\]\s*=(?!=))|"
    r"['\"]_called_from_(?:test|pytest)['\"]"
)


def equals_everything(function: Node) -> bool:
    """Whether a function is an ``__eq__`` that is true in any case."""
    name, body = text_of(function.child_by_field_name("name")), function.child_by_field_name("body")
    if name not in {"__eq__", "__ne__"} or body is None:
        return False
    ends = [text_of(node) for node in walk(body) if node.type == "return_statement"]
    return bool(ends) and set(ends) == {f"return {name == '__eq__'}"}
