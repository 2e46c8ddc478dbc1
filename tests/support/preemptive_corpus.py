"""Read the corpus of tests that are blinded before the code breaks, and prove each case on its real runner.

    .venv/bin/python tests/support/preemptive_corpus.py [NAME...]

A case is a folder of ``tests/corpus/preemptive``. ``base`` is a project; ``lie`` and ``honest`` hold the files of two
changes of its tests, ``next`` those of the break that follows. The case holds if ``RUNS`` does: only the tests of
``lie`` stay green. ``lie_corpus.SHARED`` adds the files that all projects of a runner have.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import lie_corpus

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "preemptive"
FORMS = ("base", "lie", "honest")
RUNS = (
    ("base", "base", True),
    ("lie", "base", True),
    ("honest", "base", True),
    ("base", "next", False),
    ("lie", "next", True),
    ("honest", "next", False),
)
"""Tests of which form, on which code, and whether they must pass."""


@dataclass(frozen=True)
class Preemptive:
    """A case. ``tests`` are patterns of the files that only tests need; ``removed`` has the files that a form lacks."""

    name: str
    language: str
    runner: str
    kind: str
    what: str
    honest: str
    tests: tuple[str, ...]
    removed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return CORPUS / self.name

    def stored(self, form: str) -> dict[str, bytes]:
        """Return the files of base, lie, honest or next by path, as they are stored."""
        return lie_corpus.read_folder(self.folder / form)

    def files(self, tests: str, code: str = "base") -> dict[str, bytes]:
        """Return a whole project by path: the tests of one form on the code of base or next."""
        found = {path: text.encode() for path, text in lie_corpus.SHARED[self.runner].items()} | self.stored("base")
        if tests != "base":
            found |= self.stored(tests)
            for path in self.removed.get(tests, ()):
                del found[path]
        return found | self.stored("next") if code == "next" else found

    def is_test(self, path: str) -> bool:
        """Whether only tests need this file."""
        return any(fnmatchcase(path, pattern) for pattern in self.tests)


@cache
def read_cases() -> tuple[Preemptive, ...]:
    """Read all cases, by name."""
    return tuple(_read_case(file) for file in sorted(CORPUS.glob("*/case.json")))


def _read_case(file: Path) -> Preemptive:
    case: dict[str, Any] = json.loads(file.read_text("utf-8"))
    removed = {form: tuple(paths) for form, paths in case.pop("removed", {}).items()}
    return Preemptive(name=file.parent.name, tests=tuple(case.pop("tests")), removed=removed, **case)


def prove(case: Preemptive) -> tuple[str, list[str]]:
    """Run the suite of all forms. Returns a line with the outcomes, and the output of what contradicts the case."""
    outcomes, faults = [], []
    for tests, code, wanted in RUNS:
        green, output = lie_corpus.run_suite(case.files(tests, code), case.runner)
        outcomes.append(f"{tests}/{code} {'green' if green else 'red'}")
        if green != wanted:
            faults.append(f"--- {case.name}: tests of {tests} on code of {code}\n{output}")
    return f"{'FAULT' if faults else 'ok'} {case.name}: {', '.join(outcomes)}", faults


def main(names: Iterable[str]) -> int:
    """Prove the named cases, or all."""
    chosen, known = set(names), read_cases()
    if unknown := chosen - {case.name for case in known}:
        sys.stderr.write(f"no such case: {', '.join(sorted(unknown))}\n")
        return 2
    failed = 0
    for case in known:
        if not chosen or case.name in chosen:
            line, faults = prove(case)
            print(line, flush=True)
            sys.stderr.write("".join(faults))
            failed += bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
