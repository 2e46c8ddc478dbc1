"""The forms of a test: its source in base and in subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.functions.symbols import extract
from verigate.sdk.languages import language_of


class Forms:
    """The sources of one version's test files, by path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._sources: dict[str, dict[str, str]] = {}

    def find(self, test: TestName) -> str | None:
        """Return the source of the test, or of its file if it isn't written there; None without a file."""
        if test.path not in self._files:
            return None
        return self._find_in(test.path).get(test.name) or self.read(test.path)

    def read(self, path: str) -> str:
        """Return the text of a file; empty without one."""
        return self._files.get(path, b"").decode("utf-8", "replace")

    def is_written(self, test: TestName) -> bool:
        """Whether the test itself stands in its file."""
        return test.path in self._files and test.name in self._find_in(test.path)

    def list_tests(self, path: str) -> list[TestName]:
        """List the functions of a file whose names are those of tests."""
        found = self._find_in(path) if path in self._files else {}
        return [TestName(path, name) for name in found if name.rpartition(".")[2].startswith("test")]

    def _find_in(self, path: str) -> Mapping[str, str]:
        if path not in self._sources:
            self._sources[path] = dict(_read(self._files[path], path))
        return self._sources[path]


def _read(source: bytes, path: str) -> Iterable[tuple[str, str]]:
    if language_of(path) is None:
        return
    lines = source.decode("utf-8", "replace").split("\n")
    for symbol in extract(source, path).symbols:
        yield symbol.qualified, "\n".join(lines[symbol.line - 1 : symbol.end_line])
