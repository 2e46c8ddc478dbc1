"""Find settings and directives that silence linters of scripts and texts: what the subject silences and base didn't."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.left_out import matches
from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.text_linters import Directive, Silenced, find_directives, list_readers

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_TASTE = re.compile(
    r"SC1090|SC1091|SC2034|SC3043|MD013|MD024|MD026|MD033|MD034|MD040|MD041|line-length|no-inline-html|"
    r"document-start|document-end|truthy|comments(?:-indentation)?|brackets|braces|DL3008|DL3013|DL3018|DL3059"
)
"""Rules about layout and taste, and those that ask for what a linter can't see."""

_INSTALLED = re.compile(r"(?:^|/)(?:\.git|\.venv|venv|node_modules|\.artifacts)(?:/|$)")
_WORDS = 2


def find_silenced_linters(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find silencing settings and directives that the subject has and the base didn't."""
    yield from _settings(changes)
    yield from _directives(changes)


def _settings(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """All files of one tool in one folder are taken together, so that what only moved is not new."""
    before: set[tuple[str, str, Silenced]] = set()
    after: dict[tuple[str, str, Silenced], str] = {}
    for _, old, new in changes.sides():
        for side in (old, new):
            for tool, read in list_readers(side.path) if side is not None else ():
                folder = str(PurePosixPath(side.path).parent) if side is not None else ""
                try:
                    found = [(tool, folder, item) for item in read(text(side))]
                except (Unreadable, AttributeError, TypeError) as problem:
                    if side is new and side is not None:
                        message = f"{tool}: can't be read: {problem}"[:400]
                        yield IntegrityFinding(
                            "unexamined", side.path, None, message, "weakening", "settings-unreadable"
                        )
                    continue
                if side is new and side is not None:
                    after.update(dict.fromkeys(found, side.path))
                else:
                    before.update(found)
    for key in sorted(after.keys() - before):
        tool, folder, (kind, what) = key
        weight = _weigh(kind, what, folder, changes)
        message = f"{tool}: {what} {_SAYS[kind]}"[:400]
        forms = Forms(None, f"{tool} {kind}: {what}")
        yield IntegrityFinding(
            "lint_config_weakened", after[key], None, message, weight, f"{tool}-silenced", forms=forms
        )


_SAYS = {"rule": "is silenced", "path": "is left out", "option": "lets it look at less", "word": "is let through"}


def _weigh(kind: str, what: str, folder: str, changes: ChangeSet) -> Weight:
    if kind == "word" or (kind == "rule" and _TASTE.fullmatch(what.partition(" ")[0])):
        return "note"
    if kind != "path":
        return "weakening"
    prefix = "" if folder == "." else f"{folder}/"
    below = (path.removeprefix(prefix) for path in changes.subject_paths if path.startswith(prefix))
    left = any(matches(path, what) and not _INSTALLED.search(path) for path in below)
    return "weakening" if left else "note"


def _directives(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    known: Counter[tuple[str, tuple[str, ...]]] = Counter()
    found: list[Directive] = []
    for _, old, new in changes.sides():
        if old is not None:
            known.update((item.tool, item.codes) for item in find_directives(old.path, text(old)))
        if new is not None:
            found += find_directives(new.path, text(new))
    for item in found:
        if known[item.tool, item.codes] > 0:
            known[item.tool, item.codes] -= 1
            continue
        codes = ", ".join(item.codes) or "everything"
        message = f"new suppression ({codes}): {item.shown}"
        yield IntegrityFinding(
            "suppression_added", item.path, item.line, message, _weigh_directive(item), f"suppression-{item.tool}"
        )


def _weigh_directive(item: Directive) -> Weight:
    named = item.codes and "all" not in item.codes
    taste = named and all(_TASTE.fullmatch(code) for code in item.codes)
    reasoned = (named or item.tool == "detect-secrets") and len(item.reason.split()) >= _WORDS
    return "note" if taste or reasoned else "weakening"
