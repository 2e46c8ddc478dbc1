"""Find code outside tests that detects whether it is being tested, so that tests see other behaviour than users.

Sources: pytest's reference on PYTEST_CURRENT_TEST and PYTEST_VERSION; what node, jest and vitest set for the code that
they run; Go's ``testing.Testing``; the properties of Surefire and Gradle, and the classes of JUnit and
TestNG; what RSpec, Minitest, PHPUnit and .NET's test host define; the Rust reference on the option ``test`` of
conditional compilation. Code that finds out whether its coverage is measured is the same: code:tests takes over what
passes then.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.bundles import is_bundle
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.roles import is_test_code
from code_adapter.integrity.tools.settings import is_settings_file
from verigate.sdk import clean_text
from verigate.sdk.languages.tree import end_line_of, is_comment, line_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_LIKELY = re.compile(
    r"NODE_ENV['\"\]]*\s*[!=]==?\s*['\"]test['\"]|['\"]test['\"]\s+in\s+(?:\w+\.)*argv\b|"
    r"(?<!\w)sys\.gettrace\(|(?<!\w)__coverage__(?!\w)|"
    r"#\[\s*cfg\(\s*not\(\s*test\s*\)\s*\)\s*\]|"
    r"ENV(?:\[|\.fetch\(\s*)['\"](?:RAILS|RACK|APP)_ENV['\"][^=\n]{0,20}[!=]=\s*['\"]test['\"]|\bRails\.env\.test\?|"
    r"->runningUnitTests\(\)|->environment\(\s*['\"]testing['\"]"
)
"""What honest code asks as well: which database, whether to send mail, a clock of its own for tests, a debugger."""

_CALLERS = re.compile(
    r"(?<!\w)(?:inspect\.(?:stack|currentframe|getouterframes)\(|sys\._getframe\(|traceback\.(?:extract|format)_stack\(|"
    r"f_back\b|new Error\([^()\n]*\)\.stack|captureStackTrace\(|runtime\.Callers?\()"
)
_NAMES_TESTS = re.compile(
    r"['\"`/][^'\"`\n]{0,60}(?<![a-z])tests?(?![a-su-z])[^'\"`\n]{0,60}['\"`/]|['\"`]\.(?:test|spec)\."
)
_OPAQUE = frozenset({"string", "template_string", "interpreted_string_literal", "raw_string_literal", "string_literal"})
_FUNCTIONS = frozenset(
    {
        "function_definition",
        "function_declaration",
        "method_definition",
        "method_declaration",
        "arrow_function",
        "function_expression",
    }
)
_PLUGIN = ("pyproject.toml", "setup.cfg", "setup.py")


def find_test_detection(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find code that newly detects its tests, or newly compares equal to everything."""
    if any(b"pytest11" in (changes.at_base(path) or b"") for path in _PLUGIN):
        return  # a plug-in of pytest has to know it
    for _, after, (line, shown, weight, what) in changes.newly(partial(_places, changes)):
        yield IntegrityFinding(
            "test_detected", after.path, line, f"{what}: {clean_text(shown, 160)}", weight, "test-detected"
        )


def _places(changes: ChangeSet, side: Side | None) -> Iterator[tuple[int, str, Weight, str]]:
    """Line, text, weight and what it is."""
    language = find_language(side.path) if side is not None else None
    if side is None or language is None or is_test_code(side.path) or is_settings_file(side.path):
        return
    source = text(side)
    certain = language.detection
    if certain is None:
        return
    asks = certain.search(source) or _LIKELY.search(source) or _CALLERS.search(source)
    if not asks and "__eq__" not in source:
        return
    tree = changes.tree(side)
    if tree is None:
        return
    comments = [(node.start_byte, node.end_byte) for node in walk(tree.root) if _says_nothing(node)]
    plain = tree.source.decode("latin-1")
    asking: tuple[tuple[re.Pattern[str], Weight], ...] = ((certain, "weakening"), (_LIKELY, "note"))
    for pattern, weight in asking:
        for match in pattern.finditer(plain):
            if not any(start <= match.start() and match.end() <= end for start, end in comments):
                line = plain.count("\n", 0, match.start()) + 1
                shown = " ".join(tree.source.splitlines()[line - 1].decode("utf-8", "replace").split())
                yield line, shown, weight, "code that is no test asks whether it is being tested"
    longest = _LONGEST if is_bundle(side) else sys.maxsize
    for node in walk(tree.root):
        if _is_function(node, longest) and not _inner(node, longest):
            body = _said(node)
            asked, named = _CALLERS.search(body), _NAMES_TESTS.search(body)
            if asked and named:
                shown = f"{asked[0]}...{named[0]}"
                yield line_of(node), shown, "weakening", "code that is no test looks for tests among its callers"
            if language.equals_everything(node):
                yield line_of(node), " ".join(body.split()), "weakening", "__eq__ is true whatever it is compared with"


def _says_nothing(node: Node) -> bool:
    """A comment, or a text that stands by itself, as documentation does."""
    if node.type not in _OPAQUE:
        return is_comment(node)
    above = node.parent
    return above is not None and above.type == "expression_statement"


def _said(function: Node) -> str:
    """The text of a function without comments and documentation, whose examples and apostrophes say nothing."""
    source, start = function.text or b"", function.start_byte
    for node in walk(function):
        if _says_nothing(node):
            first, last = node.start_byte - start, node.end_byte - start
            source = source[:first] + b" " * (last - first) + source[last:]
    return source.decode("utf-8", "replace")


def _inner(node: Node, longest: int) -> bool:
    """Whether a function stands inside another one, whose text has its own."""
    above = node.parent
    while above is not None:
        if _is_function(above, longest):
            return True
        above = above.parent
    return False


def _is_function(node: Node, longest: int) -> bool:
    """A function of fewer lines than ``longest``: what holds all packages of a bundle is a file."""
    return node.type in _FUNCTIONS and end_line_of(node) - line_of(node) < longest


_LONGEST = 2000
"""Lines of a function in a bundle."""
