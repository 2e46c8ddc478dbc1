"""What a change does that no mutant shows: comments that steer a program, documentation and texts that it reads."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from code_adapter.changes.code_equality import compare_code
from code_adapter.changes.directives import list_directives
from code_adapter.changes.documentation_readers import find_asked
from code_adapter.changes.kinds import classify
from code_adapter.changes.product_texts import find_product_texts
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import parse

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk.subject import Repository

_MOST_BYTES = 1 << 20
_BUILT_FOR = re.compile(
    r"(?:_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows))?"
    r"(?:_(?:386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm))?\.go$"
)
"""The end of a name of Go that says for which systems and processors a file is built."""


def find_steering(files: Sequence[ChangedFile], repository: Repository) -> list[tuple[str, str]]:
    """Find files of the product of which such a part differs, each with what differs."""
    asked, texts = find_asked(files, repository), find_product_texts(files, repository)
    return [(file.path, why) for file in files for why in _explain(file, asked, texts)]


def _explain(file: ChangedFile, asked: Collection[str], texts: Collection[str]) -> Iterator[str]:
    if file.path in texts:
        yield "a text that the program reads"
    elif classify(file.path) == "code" and file.before is not None and file.after is not None:
        if _list_directives(file.before.path, file.before.content) != _list_directives(file.path, file.after.content):
            yield "a comment that steers the program"
        elif _read_systems(file.before.path) != _read_systems(file.path):
            yield "a name that says where it is built"
        elif compare_code(file, asked) == "documentation":
            yield "documentation that the program reads"


def _list_directives(path: str, content: bytes | None) -> list[str]:
    """List the directives; their place among the code differs with the code."""
    grammar = grammar_of(path)
    if content is None or grammar is None or len(content) > _MOST_BYTES:
        return []
    return [text for _, text in list_directives(parse(content, grammar), language_of(path) or "")]


def _read_systems(path: str) -> str:
    found = _BUILT_FOR.search(path)
    return found.group() if found is not None else ""
