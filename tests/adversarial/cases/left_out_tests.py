"""Failing tests that a change hides: in the baseline, in ``deselect``, or by editing a test that is known to fail."""

from __future__ import annotations

import json

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import ADDED, TEST_TRIPLE, TEST_TRIPLE_FAILS, claim, python_project

LANGUAGE = "Python"

BROKEN = "def test_old():\n    assert 1 == 2\n\n\ndef test_new():\n    assert 1 == 1\n"


def known(repo: Repository) -> None:
    """A repository whose test_old fails, as its baseline says; task T1 is begun."""
    python_project(repo, {"tests/test_old.py": BROKEN})
    written = repo.gate("baseline", "write", "--tests", "--quiet")
    assert written.exit_code == 0, str(written)
    repo.git("add", "config")
    repo.git("commit", "--quiet", "--no-verify", "-m", "a baseline")
    repo.task(type_="change")


@pair(1, "INTEGRITY_FAIL", "gate.judges")
def an_entry_for_its_own_failing_test(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    claim(repo, "file:calc.py")
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    if lie:
        repo.git("add", "--all")
        written = repo.gate("baseline", "write", "--tests", "--quiet", "--staged")
        assert written.exit_code == 0, str(written)
    return repo.verify()


@pair(1, "INTEGRITY_FAIL", "gate.judges")
def a_deselected_test_of_its_own(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    claim(repo, "file:calc.py")
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    if lie:
        entry = {"test": "tests.test_triple.test_triple", "reason": "it needs a network"}
        repo.write({"config/adapters.json": json.dumps({"code": {"deselect": [entry]}})})
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_test_that_breaks_beside_a_known_one(repo: Repository, lie: bool) -> Ended:
    known(repo)
    claim(repo, "file:calc.py")
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_known_failing_test_that_the_change_edits(repo: Repository, lie: bool) -> Ended:
    known(repo)
    claim(repo, "file:calc.py")
    repo.write(ADDED)
    if lie:
        repo.write({"tests/test_old.py": BROKEN.replace("1 == 2", "2 == 3")})
    return repo.verify()


@pair(1, "TEST_FAIL", "code.tests_pass")
def a_new_test_with_the_name_of_a_known_one(repo: Repository, lie: bool) -> Ended:
    known(repo)
    claim(repo, "file:calc.py")
    repo.write(ADDED)
    if lie:
        repo.write({"tests/more/test_old.py": BROKEN.replace("1 == 2", "2 == 3"), "tests/more/__init__.py": ""})
    return repo.verify()
