"""Tests that fail in their teardown are one test each, whatever pytest's report says of them."""

from __future__ import annotations

from pathlib import Path

from code_repo import make_repo

FIXTURE = "import pytest\n\n\n@pytest.fixture\ndef falls():\n    yield\n    raise RuntimeError('teardown')\n\n\n"


def test_a_test_that_fails_twice_is_one_failed_test(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": FIXTURE + "def test_a(falls):\n    assert 0\n"})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (tests["failed"], tests["passed"], tests["total"]) == (1, 0, 1)


def test_a_test_that_only_falls_in_its_teardown_is_failed(tmp_path: Path) -> None:
    source = FIXTURE + "def test_a(falls):\n    pass\n\n\ndef test_b():\n    pass\n"
    tests = make_repo(tmp_path, {"test_a.py": source}).run("code:tests", gated=True).json("tests.json")
    assert (tests["failed"], tests["passed"], tests["total"]) == (1, 1, 2)
