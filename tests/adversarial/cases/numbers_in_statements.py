"""Sentences of a claim with numbers and names that the facts refute, beside the same with the right ones."""

from __future__ import annotations

from repositories import Ended, Repository

from cases.pair import PAIRS, Pair
from cases.samples import ADDED, CALC, PYTHON, TEST_CALC

KIND = "numbers and names in statements"
SIMPLE = ("code:diff", "code:functions", "code:integrity")
MORE = f"{TEST_CALC}\n\ndef test_double_of_zero():\n    assert double(0) == 0\n"
STATEMENTS: tuple[tuple[str, str, str], ...] = (
    ("more functions than were added", "Added three functions.", "Added one function."),
    ("a function that is not there", "I added `net` to calc.py.", "I added `triple` to calc.py."),
    ("more files than were changed", "Changed 5 files.", "Changed 2 files."),
    ("another file", "Updated README.md.", "Updated calc.py."),
    ("a file that was not created", "Created tests/test_calc.py.", "Created tests/test_triple.py."),
    ("a function that stays", "Removed `double`.", "Added `triple`."),
    ("a change of documentation alone", "Only documentation was changed.", "Added `triple` to calc.py."),
)
"""What the sentence is about, the false one, and the true one, of a change that adds a function with its test."""


def stated(what: str, lying: str, honest: str) -> None:
    """Register a twin with one sentence."""

    def build(repo: Repository, lie: bool) -> Ended:
        repo.policy(SIMPLE, {"integrity": True})
        repo.commit({**PYTHON})
        repo.task(type_="change")
        repo.write(ADDED)
        repo.claim("file:calc.py", type_="change", statements=[lying if lie else honest])
        return repo.verify()

    name = f"a_statement_about_{what.replace(' ', '_')}"
    PAIRS.append(Pair(name, build, 1, "CLAIM_REFUTED", "unit:statement:1", None, KIND, "Python"))


for each in STATEMENTS:
    stated(*each)


def _removes(repo: Repository, lie: bool) -> Ended:
    repo.policy(("code:diff", "code:functions"), {"reject_unclaimed_changes": True})
    repo.commit({**PYTHON, "calc.py": f"{CALC}\n\ndef one():\n    return 1\n"})
    repo.task(type_="change")
    repo.write({"calc.py": CALC})
    repo.claim("file:calc.py", type_="change", statements=[f"Removed {'three functions' if lie else 'one function'}."])
    return repo.verify()


PAIRS.append(
    Pair(
        "a_statement_about_more_functions_than_were_removed",
        _removes,
        1,
        "CLAIM_REFUTED",
        "unit:statement:1",
        None,
        KIND,
        "Python",
    )
)
