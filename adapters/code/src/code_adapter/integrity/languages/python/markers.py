"""Find the markers of pytest and unittest that skip tests or expect them to fail."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.platforms import PLATFORM, is_under_condition, read_with_condition
from code_adapter.integrity.languages.python.runner_names import find_runner_names, resolve_name
from code_adapter.integrity.languages.suites import is_repeating_option
from code_adapter.integrity.languages.test_language import FoundMarker, MadeMarker, MarkerKind, find_following
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_SKIP = re.compile(
    r"^(?:@?(?:pytest\.)?mark\.(?P<mark>skipif|skip|xfail)\b|@?(?:unittest\.)?(?P<unit>skipUnless|skipIf|skip|expectedFailure)\b|"
    r"(?:pytest\.)(?P<call>skip|xfail|importorskip)\(|self\.(?P<self>skipTest)\(|raise\s+(?:[\w.]+\.)?(?P<raised>SkipTest|skip\.Exception)\b|"
    r"(?P<never>(?:[\w.]+\.)?(?:__test__\s*=\s*False|__unittest_(?:skip|expecting_failure)__\s*=))|[\w.]+\.(?:applymarker|add_marker)\(\s*['\"]?(?:pytest\.)?(?:mark\.)?(?P<added>skip|xfail)|"
    r"@(?:pytest\.)?mark\.(?P<empty>parametrize)\((?:[^\[\](),]|\([^()]*\)|\[[^\[\]]*\])*,\s*(?:argvalues\s*=\s*)?(?:\[\s*\]|\(\s*\)))"
)

_REPEATS = re.compile(r"@(?:pytest\.)?(?:mark\.)?flaky(?:\.flaky)?\b")


def find_markers(tree: Tree) -> Iterator[FoundMarker]:
    """Find the markers of a file; a mark under a name of the file is one where it is made, and where it decorates."""
    names = find_runner_names(tree.source)
    marks = _find_named_marks(tree, names)
    in_decorators = {**marks, **names}
    for node in walk(tree.root):
        made = _read_marker(node, in_decorators if node.type == "decorator" else names)
        if made is not None:
            yield FoundMarker(node, *made, named=made.text in marks.values() and node.type == "call")


def is_repeating(node: Node, in_tests: bool) -> bool:
    """Whether it says that tests which fail are run again."""
    if node.type == "decorator":
        return in_tests and _REPEATS.match(text_of(node)) is not None
    return is_repeating_option(node)


def find_scope(node: Node) -> Node | None:
    """Find what a marker stands on: what it decorates, or the class around it."""
    above: Node | None = node
    while above is not None:
        if above.type == "decorator" and above.parent is not None:
            return find_following(above)
        if above.type == "class_definition":
            return above
        above = above.parent
    return None


def _read_marker(node: Node, names: Mapping[str, str]) -> MadeMarker | None:
    if node.type not in {"decorator", "call", "raise_statement", "assignment", "attribute"}:
        return None
    if node.type == "attribute" and not _stands_alone(node):
        return None
    if node.type == "call" and node.parent is not None and node.parent.type in {"decorator", "raise_statement"}:
        return None
    text = resolve_name(text_of(node), names)
    match = _SKIP.match(text)
    if match is None:
        return None
    what = match[match.lastgroup or 0]
    arguments = text.partition("(")[2]
    conditional = what in {"skipif", "skipIf", "skipUnless", "importorskip"} or (
        what == "xfail" and bool(re.match(r"\s*(?:sys\.|condition\s*=)", arguments))
    )
    constant = bool(re.match(r"\s*(?:True|1|not False)\b", arguments)) or bool(
        re.match(r"\s*condition\s*=\s*True", arguments)
    )
    if what in {"skip", "skipTest", "SkipTest"} and node.type != "decorator":
        conditional = is_under_condition(node)
    kind: MarkerKind = "xfail" if what in {"xfail", "expectedFailure"} else "skip"
    return MadeMarker(kind, text, conditional and not constant and bool(PLATFORM.search(read_with_condition(node))))


def _find_named_marks(tree: Tree, names: Mapping[str, str]) -> dict[str, str]:
    """Map the names of marks that a module makes once, and uses in nothing but decorators, to their text."""
    made: dict[str, str] = {}
    used: Counter[str] = Counter()
    for node in walk(tree.root):
        if node.type != "identifier":
            continue
        above = node.parent
        if above is None or above.type != "decorator":
            used[text_of(node)] += 1
        if above is None or above.type != "assignment" or above.child_by_field_name("left") != node:
            continue
        right, statement = above.child_by_field_name("right"), above.parent
        at_top = statement is not None and statement.parent is not None and statement.parent.type == "module"
        if at_top and right is not None and right.type == "call":
            text = resolve_name(text_of(right), names)
            if _SKIP.match(text):
                made[text_of(node)] = text
    return {name: text for name, text in made.items() if used[name] == 1 and name != "pytestmark"}


def _stands_alone(node: Node) -> bool:
    """``pytestmark = pytest.mark.skip``, also in a list: a mark that isn't called."""
    above = node.parent
    while above is not None and above.type in {"list", "tuple"}:
        above = above.parent
    return above is not None and above.type == "assignment"
