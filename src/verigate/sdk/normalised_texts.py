"""Normalise the messages of tools: remove folders, times and addresses, which vary between runs."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from verigate.sdk.artifacts import clean_text

MAX_MESSAGE = 2000

_TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - places that are cut out of messages, not used
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
_DURATION = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?\s?(?:ns|µs|us|ms|s|sec|secs|seconds|minutes)\b")
_INSTANT = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_PROCESS = re.compile(r"\b(pid|process|thread)([ =:#]+)\d+", re.IGNORECASE)
_THREAD_ID = re.compile(r"(thread '[^']*') \(\d+\)")


@dataclass(frozen=True, slots=True)
class Texts:
    """Normalises messages and paths. ``root`` is the subject's folder; its resolved path is replaced too."""

    root: Path
    private: tuple[Path, ...] = ()

    def message(self, text: str, limit: int = MAX_MESSAGE) -> str:
        """Normalise ``text``: at most ``limit`` characters, the subject's paths relative, varying parts replaced."""
        # Cut first: the expressions below are linear, but a message may be megabytes.
        clean = _ANSI.sub("", clean_text(text[: limit * 8])).replace("\r\n", "\n").replace("\0", "")
        clean = self._without_places(clean)
        for pattern, by in ((_ADDRESS, "0x…"), (_INSTANT, "<time>"), (_DURATION, "<duration>")):
            clean = pattern.sub(by, clean)
        clean = _THREAD_ID.sub(r"\1", _PROCESS.sub(r"\1\2<n>", clean))
        return clean_text("\n".join(line.rstrip() for line in clean.strip().splitlines()), limit)

    def path(self, path: str | None, folder: str = "") -> str | None:
        """Make ``path`` (absolute or relative to ``folder``) relative to the root; None if it leads out of it."""
        if not path:
            return None
        for root in self._roots():
            full = os.path.normpath(os.path.join(root, folder, path))  # noqa: PTH118 - text, no file is looked at
            if full.startswith(f"{root}{os.sep}"):
                return clean_text(full[len(root) + 1 :])
        return None

    def argv(self, argv: Iterable[str]) -> list[str]:
        """Normalise an argument vector: remove folders that differ between machines and runs."""
        words = [clean_text(part) for part in argv]
        # The folder of a program outside the subject depends on the machine, or on the PATH folder of this run.
        if words and self._is_elsewhere(words[0]):
            words[0] = os.path.basename(words[0])  # noqa: PTH119 - text, no file is looked at
        return [self._without_places(word) for word in words]

    def _is_elsewhere(self, program: str) -> bool:
        mine = any(program.startswith(f"{folder}/") for folder in self.private)
        return program.startswith("/") and not mine and self.path(program) is None

    def _roots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((str(self.root), os.path.realpath(self.root))))

    def _without_places(self, text: str) -> str:
        for folder in self.private:
            text = text.replace(str(folder), "<private>")
        for root in self._roots():
            text = text.replace(f"{root}/", "").replace(root, ".")
        temporary = "|".join(re.escape(place) for place in sorted({tempfile.gettempdir(), *_TEMPORARY}))
        return re.sub(rf"(?:{temporary})/[^\s'\"<>:,;)\]]*", "<temporary>", text)
