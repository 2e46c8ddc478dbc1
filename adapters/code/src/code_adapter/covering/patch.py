"""Coverage of the lines that the change wrote: those of product code that a measurement knows, and what none knows.

As diff-cover has it, but for files in no report: no test that ran has imported them, so their lines are not covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from code_adapter.changes.kinds import classify
from code_adapter.counterfactual.mixed_sources import list_test_rows
from code_adapter.syntax.changes import ChangedFile, read_changed_files
from verigate.sdk import AdapterError
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse
from verigate.sdk.subject import open_repository, resolve_base

if TYPE_CHECKING:
    from verigate.sdk import Request
    from verigate.sdk.reports.file_coverage import FileCoverage

_SCRIPTS = frozenset({"javascript", "typescript"})
_MEASURES = {
    "coverage": frozenset({"python"}),
    "cargo llvm-cov": frozenset({"rust"}),
    **dict.fromkeys(("jest", "vitest", "c8", "nyc", "node"), _SCRIPTS),
}
"""The languages whose files a tool measures. What another one measures is in its report."""

_STATEMENTS = ("_statement", "_definition", "_declaration", "function_item")
_DECLARING = (".d.ts", ".d.mts", ".d.cts", ".pyi")
_MANY_LINES = 2000
_MOST_LISTED = 200


def measure_patch(request: Request, measured: Iterable[FileCoverage], tools: Iterable[str]) -> dict[str, Any] | None:
    """Describe the coverage of the changed lines, as the ``tools`` that ran measured it; None outside git."""
    try:
        with open_repository(request) as repository:
            changed = read_changed_files(repository, resolve_base(request, repository))
    except AdapterError:
        return None
    known = {file.path: file for file in measured}
    languages = {language for tool in tools for language in _MEASURES.get(tool, ())}
    languages |= {language for path in known if (language := language_of(path)) is not None}
    if languages & _SCRIPTS:
        languages |= _SCRIPTS
    own = [file for file in changed if _is_code(file) and language_of(file.path) in languages]
    files = [entry for file in own if (entry := _measure_file(file, known))["total"]]
    covered, total = (sum(entry[key] for entry in files) for key in ("covered", "total"))
    return {
        "pct": covered / total if total else 0,
        "lines": {"covered": covered, "total": total},
        "files": files,
        "unmeasured": sorted(
            file.path for file in changed if _is_code(file) and language_of(file.path) not in languages
        ),
    }


def _is_code(file: ChangedFile) -> bool:
    """Whether a file is product code that somebody wrote by hand, and that is still there."""
    after = file.after
    if after is None or after.content is None or language_of(after.path) is None or after.path.endswith(_DECLARING):
        return False
    return classify(after.path) == "code"


def _measure_file(file: ChangedFile, known: Mapping[str, FileCoverage]) -> dict[str, Any]:
    rows = set(_list_rows(file))
    coverage = known.get(file.path)
    if coverage is None:
        lines = sorted(row for row in rows if row in _list_code_rows(file))
        return _describe(file.path, set(), set(lines), measured=False)
    return _describe(file.path, rows & coverage.reached, rows & coverage.missed, measured=True)


def _describe(path: str, reached: set[int], missed: set[int], *, measured: bool) -> dict[str, Any]:
    return {
        "path": path,
        "covered": len(reached),
        "total": len(reached) + len(missed),
        "missed": sorted(missed)[:_MOST_LISTED],
        "measured": measured,
    }


def _list_rows(file: ChangedFile) -> Iterator[int]:
    """Yield the numbers of the lines that the change wrote, from 1."""
    old, new = (
        side.content.splitlines() if side is not None and side.content is not None else []
        for side in (file.before, file.after)
    )
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > _MANY_LINES)
    for kind, _, _, start, end in matcher.get_opcodes():
        if kind in {"replace", "insert"}:
            yield from range(start + 1, end + 1)


def _list_code_rows(file: ChangedFile) -> frozenset[int]:
    """List the lines at which a statement begins that is no comment and no docstring."""
    after = file.after
    if after is None or after.content is None:
        return frozenset()
    root = parse(after.content, grammar_of(after.path) or "").root
    found: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.named_children
        # The value of a block of Rust is no statement.
        value = node.parent is not None and node.parent.type == "block" and language_of(after.path) == "rust"
        if (value or node.type.endswith(_STATEMENTS)) and not is_comment(node):
            children = node.named_children
            document = node.type == "expression_statement" and len(children) == 1 and children[0].type == "string"
            if not document:
                found.add(node.start_point[0] + 1)
    return frozenset(found) - list_test_rows(after.path, after.content)
