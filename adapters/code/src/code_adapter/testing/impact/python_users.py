"""Which Python test files use what a change touches: by the names of modules and files in their text, and in others'.

A source that has the name of a module anywhere may import it, also by ``importlib`` or a string: that finds more users
than there are. What nobody names, settings and compiled sources may affect any test.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from code_adapter.testing.impact.change import Change, WholeSuiteError, is_prose

_WORD = re.compile(r"[\w-]+")
_PACKAGE = frozenset({"__init__", "__main__"})
_COMPILED = frozenset({".pyx", ".pxd", ".c", ".cc", ".cpp", ".h", ".hpp", ".rs", ".so", ".pyd", ".pth"})
_INSTALLS = re.compile(
    r".*requirements.*\.(?:txt|in)|constraints.*\.txt|setup\.py|.*\.(?:cfg|ini|lock|toml)|Pipfile.*|\.env.*|Makefile"
    r"|(?:site|user)customize\.py|noxfile\.py|\.coveragerc"
)
"""Files that say what is installed, or how tests run."""

_BUILDS = frozenset({"setup.py", "noxfile.py", "fabfile.py", "tasks.py"})
_DECLARES = ("pyproject.toml", "setup.cfg", "setup.py", "pytest.ini", "tox.ini")
_ENTRY_POINT = re.compile(r"([\w.-]+)[\"']?\s*=\s*[\"']?([\w.]+):\w")
_PLUGIN = re.compile(r"(?:^|[\s\"'])-p[ =]?[\"', ]*([\w.]+)")


class PythonUsers:
    """Who names whom among the Python sources below ``folder``. ``tests`` are the test files to choose from."""

    def __init__(self, change: Change, folder: str, tests: Collection[str]) -> None:
        self._change = change
        self._folder = folder
        self._tests = frozenset(tests)

    def choose(self) -> frozenset[str]:
        """Choose the tests that the change can affect. Raises WholeSuiteError if that may be any."""
        chosen: set[str] = set()
        for path in sorted(self._change.paths):
            chosen |= self._choose_for(path)
        if not chosen:
            raise WholeSuiteError("no test names what changed")
        return frozenset(chosen)

    def _choose_for(self, path: str) -> set[str]:
        pure = PurePosixPath(path)
        if _INSTALLS.fullmatch(pure.name) or pure.suffix in _COMPILED:
            raise WholeSuiteError(f"{path} changed, which may concern any test")
        if pure.stem in self._plugins:
            raise WholeSuiteError(f"{path} changed, which pytest loads for all tests")
        if pure.name == "conftest.py":
            return set(self._list_below(pure))
        users = self._find_all_users(path)
        chosen = (users | {path}) & self._tests
        for user in users:
            if user.endswith("conftest.py"):
                chosen |= set(self._list_below(PurePosixPath(user)))
        if not chosen and not is_prose(path):
            raise WholeSuiteError(f"no test names {path}, so that any may use it")
        return chosen

    def _list_below(self, conftest: PurePosixPath) -> Iterator[str]:
        folder = "" if str(conftest.parent) == "." else f"{conftest.parent}/"
        return (test for test in self._tests if test.startswith(folder))

    def _find_all_users(self, path: str) -> set[str]:
        """Find who names ``path``, and who names these."""
        found: set[str] = set()
        waiting = [path]
        while waiting:
            more = self._find_users(waiting.pop()) - found
            found |= more
            waiting += more
        return found

    def _find_users(self, path: str) -> set[str]:
        pure = PurePosixPath(path)
        if pure.suffix != ".py":
            # A file of data: who has its name, or that of its folder, may read it.
            names = {pure.name, pure.stem.split(".")[0], pure.parent.name}
        else:
            names = {pure.parent.name if pure.stem in _PACKAGE else pure.stem}
            names |= self._commands.get(pure.stem, set())
        words = {word for name in names for word in _WORD.findall(name)}
        return {user for word in words for user in self._by_word.get(word, ())} - {path}

    @cached_property
    def _by_word(self) -> Mapping[str, set[str]]:
        words: dict[str, set[str]] = {}
        for path in self._change.files.below(self._folder):
            if path.endswith(".py") and PurePosixPath(path).name not in _BUILDS:
                for word in frozenset(_WORD.findall(self._change.files.text(path))):
                    words.setdefault(word, set()).add(path)
        return words

    @cached_property
    def _commands(self) -> Mapping[str, set[str]]:
        """The names of entry points by the last name of their module: who runs the command uses the module."""
        found: dict[str, set[str]] = {}
        for text in self._declarations:
            for name, module in _ENTRY_POINT.findall(text):
                found.setdefault(module.rpartition(".")[2], set()).add(name)
        return found

    @cached_property
    def _plugins(self) -> frozenset[str]:
        """The last names of the modules that pytest's options load."""
        return frozenset(name.rpartition(".")[2] for text in self._declarations for name in _PLUGIN.findall(text))

    @cached_property
    def _declarations(self) -> tuple[str, ...]:
        files, prefix = self._change.files, f"{self._folder}/" if self._folder else ""
        return tuple(files.text(prefix + name) for name in _DECLARES if prefix + name in files.known)
