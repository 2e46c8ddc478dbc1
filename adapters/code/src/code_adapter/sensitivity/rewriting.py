"""Put another content into files of the checkout for a run, so that a test sees as little of that as can be.

A test could notice that a file is newer than the others, or differs from git's index, rather than what the code does.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from code_adapter.environment import make_tool_environ
from code_adapter.tree_checkout import TreeCheckout
from verigate.sdk import Request
from verigate.sdk.languages import language_of

_STEP_NS = 2_000_000_000
"""Programs that compile see by its time that a file is another one, and some compare seconds."""

_AS_OLD = frozenset({"javascript", "typescript", "go"})
"""Languages whose tools look at contents: all files may be new. Rust's and Java's would build all again."""

_CACHED_ELSEWHERE = "PYTHONPYCACHEPREFIX"


@dataclass
class Rewriter:
    """What writes files of a checkout."""

    request: Request
    checkout: TreeCheckout
    _writes: int = 0

    @cached_property
    def _finds_bytecode(self) -> bool:
        """Whether Python keeps bytecode next to its modules."""
        return _CACHED_ELSEWHERE not in make_tool_environ(self.request)

    @contextmanager
    def write(self, contents: Mapping[str, bytes]) -> Iterator[None]:
        """Write these contents by path, and put the files back at the end."""
        originals = {path: self.read(path) for path in contents}
        try:
            self._put(contents)
            yield
        finally:
            self._put(originals)

    def read(self, path: str) -> bytes:
        """Read a file."""
        return (self.request.repo_root / path).read_bytes()

    def _put(self, contents: Mapping[str, bytes]) -> None:
        self._writes += 1
        when = time.time_ns() + self._writes * _STEP_NS
        for path, content in contents.items():
            place = self.request.repo_root / path
            before = place.stat()
            with open(place, "wb") as stream:  # noqa: PTH123 - keeps the file's mode and links
                stream.write(content)
            if language_of(path) == "python" and self._finds_bytecode:
                _forget_bytecode(place)
                os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
            else:
                os.utime(place, ns=(when, when))
        all_new = any(language_of(path) in _AS_OLD for path in contents)
        self.checkout.show([*contents], when if all_new else None)


def _forget_bytecode(place: Path) -> None:
    """Remove what Python compiled of a module: it would take that for the one of a file of the same time and size."""
    for cached in (place.parent / "__pycache__").glob(f"{place.stem}.*.pyc"):
        cached.unlink(missing_ok=True)
