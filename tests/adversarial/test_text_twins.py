"""Every twin of a text is run here by the adapter alone, without the gate around it: its lie is a weakening.

``test_twins.py`` has one of each class and language with the whole gate, ``tests/bench/twins.py`` has all.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import forked_programs
import pytest
from cases.pair import PAIRS, Pair
from release_tests import some_always
from repositories import Ended, Repository

for module in sorted((Path(__file__).parent / "cases").glob("[a-z]*.py")):
    import_module(f"cases.{module.stem}")

TEXTS = [pair for pair in PAIRS if pair.build.__module__ in {"cases.suites", "cases.pipelines"} and pair.limit is None]


class AdapterRepository(Repository):
    """A repository whose change is judged by ``code:integrity`` alone: exit code 1 for a weakening."""

    def verify(self, task_id: str = "T1", *_: str, **__: Any) -> Ended:
        self.git("add", "--all")
        folder = self.root.parent / task_id
        folder.mkdir()
        for name, body in (("commitment", {"type": "code"}), ("claim", {"claim": {"type": "code"}})):
            (folder / f"{name}.json").write_text(json.dumps({"task_id": task_id, **body}))
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GATE_PYTHON": sys.executable}
        env |= {"GATE_REPO_ROOT": str(self.root), "GATE_BASE": self.head, "GATE_TASK_ID": task_id}
        done = forked_programs.code_adapter(["code:integrity", "--task-dir", str(folder)], cwd=self.root, env=env)
        assert done.returncode == 0, done.stderr.decode()
        findings = json.loads((folder / "integrity.json").read_bytes())["findings"]
        weakened = [each for each in findings if each["weight"] == "weakening"]
        return Ended(int(bool(weakened)), json.dumps(findings).encode(), b"")


@pytest.mark.parametrize("pair", some_always(TEXTS, attrgetter("name"), one_in=12))
def test_the_lie_is_a_weakening(pair: Pair, tmp_path: Path) -> None:
    ended = pair.build(AdapterRepository.make(tmp_path), True)
    assert ended.exit_code == 1, str(ended)


@pytest.mark.release
def test_honest_tables_and_marks_are_none(tmp_path: Path) -> None:
    for number, pair in enumerate(pair for pair in TEXTS if pair.kind.startswith(("rows of", "a skip is no other"))):
        (tmp_path / str(number)).mkdir()
        ended = pair.build(AdapterRepository.make(tmp_path / str(number)), False)
        assert ended.exit_code == 0, f"{pair.name}: {ended}"
