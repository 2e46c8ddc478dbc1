"""Which test modules read pages or other test modules: they alone are run again when one of those changes.

Files that Python opens and folders that it lists are seen by an audit hook. What another program reads isn't: one that
is started in a folder with such files, or is given its path, counts as reading them.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from input_digests import group_of

_FILES = frozenset({"open", "os.listdir", "os.scandir"})
_PROGRAMS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.system", "forked_programs"})
"""Their arguments are a program, its arguments, and for the first and the last of them its folder."""

_IMPORT = "<frozen importlib._bootstrap_external>"
_WORD = re.compile(r"\w+")


class ObservedReads:
    """``found`` maps a file of the tests to the groups that it reads, or that are read while a test of it runs."""

    def __init__(self, root: Path, names: Iterable[str]) -> None:
        self.found: dict[str, set[str]] = defaultdict(set)
        self.running: str | None = None
        self._root = str(root)
        self._below: dict[str, set[str]] = defaultdict(set)
        for name in names:
            if (group := group_of(name)) is not None:
                for folder in (name, *map(str, Path(name).parents)):
                    self._below[folder].add(group)
        self._mention = re.compile(re.escape(self._root) + r"(?![\w.-])(/[^\s:;,'\"()]*)?")
        sys.addaudithook(self._see)

    def _see(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _FILES:
            if event == "os.listdir" and sys._getframe(1).f_code.co_filename == _IMPORT:
                return  # looks for a module in every folder of sys.path
            self._add({self._name(arguments[0])})
        elif event in _PROGRAMS:
            given = arguments[1] if len(arguments) > 1 else arguments[0]
            given = [given] if isinstance(given, str | bytes | os.PathLike) else list(given)
            folder = arguments[2] if event in {"subprocess.Popen", "forked_programs"} else None
            self._add({self._name(folder), *self._mentioned([arguments[0], *given])})

    def _mentioned(self, texts: Iterable[Any]) -> Iterator[str]:
        for text in texts:
            if isinstance(text, str | bytes | os.PathLike):
                for match in self._mention.finditer(os.fsdecode(text)):
                    yield self._name(match[0])

    def _name(self, path: Any) -> str:
        """The path relative to the root; empty for one outside, and for a descriptor. None is the working folder."""
        if isinstance(path, int):
            return ""
        try:
            full = os.path.abspath(os.fsdecode(path if path is not None else "."))  # noqa: PTH100 - must not read links
        except (OSError, TypeError):  # the working folder is gone
            return ""
        return os.path.relpath(full, self._root) if full == self._root or full.startswith(f"{self._root}/") else ""

    def _add(self, names: set[str]) -> None:
        read = [name for name in names if name in self._below]
        if not read:
            return
        readers = {self.running} if self.running else set()
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            readers.add(self._name(frame.f_code.co_filename))
            frame = frame.f_back
        for reader in readers:
            if reader.startswith(("tests/", "adapters/")):
                groups = (self._below[name] for name in read if name != reader)
                self.found[reader].update(*groups)


def groups_by_module(root: Path, modules: Iterable[str], found: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """Add to what each module reads what is read by the files that it names, or that those name in turn.

    What such a file reads once may be kept for all. A file is named by its name without ``.py``.
    """
    words: dict[str, set[str]] = {}
    shared = {name: Path(name).stem for name in found if group_of(name) != "tests"}
    support = {path.stem: path for path in (root / "tests/support").glob("*.py")}
    everywhere = {group for name, stem in shared.items() if stem == "conftest" for group in found[name]}

    def named(path: Path) -> set[str]:
        if str(path) not in words:
            words[str(path)] = set(_WORD.findall(path.read_text("utf-8", "replace")))
        return words[str(path)]

    result = {}
    for module in modules:
        seen: set[str] = set()
        ahead = [root / module]
        while ahead:
            new = named(ahead.pop()) - seen
            seen |= new
            ahead += [support[stem] for stem in new & support.keys()]
        by_others = (found[name] for name, stem in shared.items() if stem in seen)
        result[module] = everywhere.union(found.get(module, ()), *by_others)
    return result
