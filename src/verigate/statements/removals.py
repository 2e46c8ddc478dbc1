"""Read which names a text says are removed: each in one sentence with a word for removal, as it is written in code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

_REMOVES = re.compile(
    r"\b(?:remov(?:e|es|ed|ing|al)|delet(?:e|es|ed|ing|ion)|drop(?:s|ped|ping)?|g[eo]t(?:s|ting)? rid of|"
    r"retir(?:e|es|ed)|inlin(?:e|es|ed|ing)|(?:is|are) no more(?! than))\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|never|without|no longer|un(?:do|does|did))\b|n't\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=\s*[-*+] )")
_DEFINES = (
    r"\b(?:def|class|func|function|fn|const|let|var|struct|enum|trait|interface|type|static|public|private|protected|"
    r"final|void|record|module|macro_rules!)\b[^=]*\b{}\b"
)
_NAME = re.compile(r"[A-Za-z_]\w*")


def find_removals(lines: Iterable[str], names: Collection[str]) -> Iterator[str]:
    """Find which of ``names`` (dotted, as in the code) the lines of a text say are removed.

    The last part has to stand in the sentence as a word. A sentence that denies something says nothing.
    """
    for sentence in _SENTENCE_END.split("\n".join(lines)):
        if _REMOVES.search(sentence) and not _DENIES.search(sentence):
            words = set(_NAME.findall(sentence))
            yield from (name for name in names if name.rpartition(".")[2] in words)


def find_defined(lines: Iterable[str], names: Collection[str]) -> Iterator[str]:
    """Find which of ``names`` (dotted, as in the code) lines of code define, by their last part."""
    text = "\n".join(lines)
    if text:
        yield from (name for name in names if re.search(_DEFINES.format(re.escape(name.rpartition(".")[2])), text))
