"""What is written of each test in the changed test files: where it stands, whether it has a table, how it was split.

The runs show that a test still checks what it did. Whether it was moved, given a table or split is in its text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.pairing.cases import list_tests
from verigate.sdk import path_text
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.counterfactual.forms import Forms
    from code_adapter.counterfactual.sides import Sides
    from code_adapter.integrity.languages.test_language import FoundTest, TestLanguage
    from verigate.sdk.normalised_texts import Texts

_MARKS = re.compile(
    r"parametrize|\.(?:each|for)\b|\bsubTest\(|\bsubtests\b|\bt\.Run\(|@ParameterizedTest|@(?:Csv|Value|Enum|Method)Source|#\[(?:case|test_case)|"
    r"\[(?:Theory|InlineData|MemberData|TestCase|TestCaseSource|DataRow)\b|[dD]ataProvider\b|->with\(|testWith\b|@example\b"
)
_LOOPS = re.compile(r"for_\w+|enhanced_for_statement|foreach_statement|for")
_WALKED = re.compile(r"\.(?:forEach|for_each|each|for|map|each_with_index)\b")

_ENDS = 80


class _Written(NamedTuple):
    """A test as it is written. ``tabled``: rows of a table feed it, by what is written on or around it or by a loop."""

    source: str
    asserted: Counter[str]
    tabled: bool


_Tests = Mapping[TestName, _Written]


def describe_written(sides: Sides, texts: Texts) -> list[dict[str, Any]]:
    """Describe each test of changed test files whose language is read, in base, subject or both."""
    before, after = (dict(_read(sides.changed, forms)) for forms in (sides.base_forms, sides.head_forms))
    return [_describe(name, before, after, texts) for name in sorted(before.keys() | after.keys())]


def _read(paths: frozenset[str], forms: Forms) -> Iterator[tuple[TestName, _Written]]:
    for path in sorted(paths):
        text, language = forms.read(path), find_language(path)
        if text and language is not None:
            tree = parse(text.encode(), grammar_of(path) or "")
            for found, case in zip(language.find_tests(tree), list_tests(tree, path, {}).cases, strict=True):
                tabled = bool(case.table.rows) and _is_fed(found, case.source, language)
                asserted = Counter(each.text for each in case.assertions.real)
                yield TestName(path, case.id.replace(" > ", " ")), _Written(case.source, asserted, tabled)


def _is_fed(test: FoundTest, source: str, language: TestLanguage) -> bool:
    """Whether the test runs for each row: a loop that only prepares something doesn't make it one."""
    if _MARKS.search(source):
        return True
    around = test.node.parent
    while around is not None:
        if _is_loop(around):
            return True
        around = around.parent
    inside = filter(_is_loop, walk(test.body))
    return any(language.read_assertion(each) is not None for node in inside for each in walk(node))


def _is_loop(node: Node) -> bool:
    called = text_of(node.child_by_field_name("function"))
    return _LOOPS.fullmatch(node.type) is not None or bool(_WALKED.search(f"{called[:_ENDS]} {called[-_ENDS:]}"))


def _describe(name: TestName, before: _Tests, after: _Tests, texts: Texts) -> dict[str, Any]:
    was, now = before.get(name), after.get(name)
    tables = [each is not None and each.tabled for each in (was, now)]
    return {
        "path": path_text(name.path),
        "test": texts.message(name.name),
        "in": "both" if was and now else "base" if was else "head",
        "same": was is not None and now is not None and was.source == now.source,
        "table": "both" if all(tables) else "base" if tables[0] else "head" if tables[1] else "none",
        "parts": [f"{path_text(part.path)}::{texts.message(part.name)}" for part in _find_parts(name, before, after)],
    }


def _find_parts(name: TestName, before: _Tests, after: _Tests) -> Sequence[TestName]:
    """Find the tests of the subject that share out all assertions of a test of base; () if it wasn't split."""
    if name not in before or len(asked := before[name].asserted.keys()) < 2:
        return ()
    shares: dict[TestName, frozenset[str]] = {}
    for other, each in after.items():
        had = before[other].asserted if other in before and other != name else Counter[str]()
        share = frozenset((each.asserted - had).keys() & asked)
        if share and language_of(other.path) == language_of(name.path):
            shares[other] = share
    if len(shares) < 2 or any(share == asked for share in shares.values()):
        return ()
    return sorted(shares) if frozenset().union(*shares.values()) == asked else ()
