"""The known changes of one file, weakening and legitimate, for what is said after an agent's edit.

Four collections: the changes of ``code:integrity`` (its legitimate ones were made to look like weakenings), the lies
about tests with their honest twins, and the honest rewrites of suites.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import integrity_cases
import integrity_evasions
import integrity_imports
import integrity_pipelines
import integrity_rewrites
import lie_corpus
import rewrite_corpus
from integrity_cases import Content

_MODULES = (integrity_cases, integrity_evasions, integrity_imports, integrity_rewrites, integrity_pipelines)


@dataclass(frozen=True)
class EditedChange:
    """``files`` are those that were there before: path, old text, new text ("" for none)."""

    collection: str
    weakens: bool
    name: str
    files: Sequence[tuple[str, str, str]]


def list_changes() -> Iterator[EditedChange]:
    """List all of them."""
    for kind in ("WEAKENING", "HONEST"):
        named = {
            change.name: change
            for module in _MODULES
            for name, changes in vars(module).items()
            if name.startswith(kind)
            for change in changes
        }
        for change in named.values():
            if len(change.after) == 1:
                yield _change("integrity", kind == "WEAKENING", change.name, change.before, change.after)
    for lie in lie_corpus.read_cases():
        for form in lie_corpus.FORMS:
            yield _change("lies", form == "lie", lie.name, lie.files("base"), lie.files(form))
    for rewrite in rewrite_corpus.read_cases():
        yield _change("rewrites", False, rewrite.name, rewrite.files("base"), rewrite.files("head"))


def _change(
    collection: str, weakens: bool, name: str, before: Mapping[str, Content], after: Mapping[str, Content]
) -> EditedChange:
    whole = collection == "integrity"
    paths = after if whole else {**before, **after}
    files = [(path, _text(before[path]), _text(after.get(path))) for path in paths if before.get(path) is not None]
    return EditedChange(collection, weakens, name, [each for each in files if each[1] != each[2]])


def _text(content: Content) -> str:
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else content or ""
