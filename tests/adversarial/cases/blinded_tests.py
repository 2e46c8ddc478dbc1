"""Tests that are made blind while the code is still right, so that nothing fails and no assertion changes."""

from __future__ import annotations

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import INTACT, claim, python_project

LANGUAGE = "Python"

ORDER = ("code:diff", "code:integrity", "code:tests")
ROWS = (
    "from calc import double\n\nROWS = {}\n\n\ndef test_rows():\n    assert len(list(ROWS)) == 3\n\n\n"
    "def test_double():\n    for number, wanted in ROWS:\n        assert double(number) == wanted\n"
)
LISTED, USED_UP, COPIED = "[(2, 4), (3, 6), (0, 0)]", "zip([2, 3, 0], [4, 6, 0])", "list(zip([2, 3, 0], [4, 6, 0]))"


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def rows_that_the_first_test_uses_up(repo: Repository, lie: bool) -> Ended:
    rules = {**INTACT, "tests_pass": True, "tests_min": 2}
    python_project(repo, {"tests/test_calc.py": ROWS.format(LISTED)}, order=ORDER, rules=rules, mutants_s=300)
    claim(repo, "file:tests/test_calc.py")
    repo.write({"tests/test_calc.py": ROWS.format(USED_UP if lie else COPIED)})
    return repo.verify()
