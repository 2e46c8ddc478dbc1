"""A skip's reason is not its identity; which test is skipped is."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_repository import change_repository

_CLASS = """import unittest


class A(unittest.TestCase):
    {first}def test_a(self):
        self.assertEqual(2, 1 + 1)

    {second}def test_b(self):
        self.assertEqual(3, 1 + 2)
"""


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (('@unittest.skip("a")\n    ', ""), ('@unittest.skip("b")\n    ', ""), False),
        (('@unittest.skip("a")\n    ', ""), ("", '@unittest.skip("b")\n    '), True),
        (("", ""), ('@unittest.skip("b")\n    ', ""), True),
        # The same mark on another test: that one ran.
        (('@unittest.skip("a")\n    ', ""), ("", '@unittest.skip("a")\n    '), True),
        (("", '@unittest.skip("a")\n    '), ('@unittest.skip("a")\n    ', '@unittest.skip("a")\n    '), True),
    ],
)
def test_another_reason_is_no_new_skip(
    tmp_path: Path, before: tuple[str, str], after: tuple[str, str], *, found: bool
) -> None:
    old, new = (_CLASS.format(first=first, second=second) for first, second in (before, after))
    repository = change_repository(tmp_path / "repo", {"tests/test_a.py": old}, {"tests/test_a.py": new})
    outcome = repository.run("code:integrity", tmp_path / "T")
    assert outcome.exit_code == 0, outcome.stderr
    kinds = {each["kind"] for each in outcome.json("integrity.json")["findings"] if each["weight"] == "weakening"}
    assert ("test_skipped" in kinds) is found
