"""What a Jenkinsfile does so that a step that fails doesn't fail the build.

Source: Jenkins, "Pipeline: Basic Steps" (catchError, warnError, unstable), "Pipeline: Nodes and
Processes" (returnStatus).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.integrity.tools.documents import Unreadable

_BRACE = re.compile(r"[{}]")
_CAUGHT = re.compile(r"\b(catchError|warnError)\b(?:\s*\([^)]{0,400}\))?\s*\{")
_TRIED = re.compile(r"\btry\s*\{")
_CATCH = re.compile(r"\s*catch\s*\([^)]{0,200}\)\s*\{")
_FAILS = re.compile(r"\bthrow\b|\berror\b|FAILURE")
_STATUS = re.compile(r"returnStatus\s*:\s*true|propagate\s*:\s*false")


_MOST_BYTES = 200_000
_MOST_BLOCKS = 100


def list_jenkins_flags(source: str) -> Iterator[tuple[str, str]]:
    """List what keeps a failure from the build, each with the text that it is about.

    Raises Unreadable for one that is too large.
    """
    blocks = len(_CAUGHT.findall(source)) + len(_TRIED.findall(source)) if len(source) <= _MOST_BYTES else 0
    if len(source) > _MOST_BYTES or blocks > _MOST_BLOCKS:
        raise Unreadable(f"it has more than {_MOST_BYTES} characters, or {_MOST_BLOCKS} blocks that catch errors")
    for match in _CAUGHT.finditer(source):
        block, _ = _cut_block(source, match.end())
        if not re.search(r"(?:buildResult|result)\s*:\s*['\"]FAILURE", match[0]) or match[1] == "warnError":
            yield match[1], block
    for match in _TRIED.finditer(source):
        block, end = _cut_block(source, match.end())
        caught = _CATCH.match(source, end)
        if caught is not None and not _FAILS.search(_cut_block(source, caught.end())[0]):
            yield "try without a failure in catch", block
    for line in source.splitlines():
        if (status := _STATUS.search(line)) is not None:
            yield status[0], line


def _cut_block(source: str, start: int) -> tuple[str, int]:
    """Cut what stands up to the brace that closes the one before ``start``, and where that ends."""
    depth = 1
    for match in _BRACE.finditer(source, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return source[start : match.start()], match.end()
    return source[start:], len(source)
