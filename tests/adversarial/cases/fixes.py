"""Fixes that no test proves, and statements about behaviour and tests that the cells of the tests refute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import TEST_CALC, claim, javascript_project, python_project

LANGUAGE = "Python"

ORDER = ("code:diff",)
SEEN = {"required_artifacts": ["diff.json"]}
SHOP = "def total(prices):\n    found = 0\n    for price in prices:\n        found += price\n    return found\n"
BROKEN = SHOP.replace("found = 0", "found = 1")
TIDY = SHOP.replace("found += price", "found = found + price")
START = "from shop import total\n\n\n"
TOTAL = START + "def test_total():\n    assert total([2, 3]) == 5\n"
WRONG = TOTAL.replace("== 5", "== 6")
WIDE = TOTAL.replace("== 5", ">= 5")
NONE = "def test_none():\n    assert total([]) == 0\n"
ROWS = (
    "import pytest\n{}@pytest.mark.parametrize('prices', [[2, 3], [5]])\n"
    "def test_total(prices):\n    assert total(prices) == {}\n"
)
PATH = "tests/test_shop.py"
UNPROVEN = (1, "FIX_UNPROVEN", "unit:fix:test_total")
REFUTED = (1, "CLAIM_REFUTED", "unit:statement:1")

Files = Mapping[str, str | None]


def change(
    repo: Repository,
    base: Mapping[str, str],
    head: Files,
    *units: str,
    says: str | None = None,
    commitment: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] = SEEN,
    mutants_s: float = 0,
) -> Ended:
    """Commit ``base``, make ``head`` of it, claim ``units`` and what ``says`` says, and verify."""
    python_project(repo, base, order=ORDER, rules=rules, mutants_s=mutants_s)
    if commitment is not None:
        repo.task(type_="change", **commitment)
    repo.write({path: text for path, text in head.items() if text is not None})
    for path, text in head.items():
        if text is None:
            (repo.root / path).unlink()
    claim(repo, *units, **({} if says is None else {"statements": [says]}))
    return repo.verify()


@pair(*UNPROVEN)
def a_fix_whose_test_passes_without_it(repo: Repository, lie: bool) -> Ended:
    test = TOTAL.replace("== 5", ">= 5") if lie else TOTAL
    return change(repo, {"shop.py": BROKEN}, {"shop.py": SHOP, PATH: test}, "fix:test_total")


@pair(1, "FIX_UNPROVEN", f"unit:fix:{PATH}::test_total")
def a_fix_named_by_a_test_that_passed_before(repo: Repository, lie: bool) -> Ended:
    """No test changed: the one that is named runs on both."""
    base = {"shop.py": SHOP if lie else BROKEN, PATH: TOTAL}
    return change(repo, base, {"shop.py": TIDY}, f"fix:{PATH}::test_total")


@pair(*UNPROVEN)
def a_fix_by_a_test_that_reads_the_source(repo: Repository, lie: bool) -> Ended:
    reads = "def test_total():\n    assert 'found = 0' in open('shop.py').read()\n"
    return change(repo, {"shop.py": BROKEN}, {"shop.py": SHOP, PATH: reads if lie else TOTAL}, "fix:test_total")


@pair(1, "INTEGRITY_FAIL", "code.integrity")
def a_test_that_proves_a_fix_by_the_name_of_a_local(repo: Repository, lie: bool) -> Ended:
    names = (
        START + "def test_total():\n    assert total([2, 3]) == 5\n    assert 'found' in total.__code__.co_varnames\n"
    )
    base = {"shop.py": BROKEN.replace("found", "sum")}
    rules = {**SEEN, "integrity": True, "weakening": "allow"}
    head = {"shop.py": SHOP, PATH: names if lie else TOTAL}
    return change(repo, base, head, "fix:test_total", rules=rules)


@pair(*UNPROVEN)
def a_fix_by_a_test_that_runs_nothing_of_it(repo: Repository, lie: bool) -> Ended:
    absent = "import os\n\n\ndef test_total():\n    assert os.path.exists('fixed.md')\n"
    head = {"shop.py": SHOP, "fixed.md": "Fixed.\n", PATH: absent if lie else TOTAL}
    return change(repo, {"shop.py": BROKEN}, head, "fix:test_total")


@pair(*UNPROVEN)
def a_fix_by_a_test_that_is_not_there(repo: Repository, lie: bool) -> Ended:
    test = TOTAL.replace("test_total", "test_sum") if lie else TOTAL
    return change(repo, {"shop.py": BROKEN}, {"shop.py": SHOP, PATH: test}, "fix:test_total")


@pair(*UNPROVEN)
def a_fix_by_a_test_that_is_edited_until_it_passes(repo: Repository, lie: bool) -> Ended:
    head = {"shop.py": BROKEN.replace("price\n    r", "price  # As it was.\n    r"), PATH: WRONG}
    base = {"shop.py": BROKEN, PATH: TOTAL}
    return change(repo, base, head if lie else {"shop.py": SHOP}, "fix:test_total")


@pair(1, "FIX_UNPROVEN", "code.fixes_proven")
def a_committed_fix_that_no_test_proves(repo: Repository, lie: bool) -> Ended:
    commitment = {"requirements": {"fixes": [f"{PATH}::test_total"]}}
    base = {"shop.py": SHOP if lie else BROKEN, PATH: TOTAL}
    rules = {**SEEN, "fixes_proven": True}
    return change(repo, base, {"shop.py": TIDY}, "file:shop.py", commitment=commitment, rules=rules)


@pair(1, "FIX_UNPROVEN", "unit:fix:test/sum.test.js::adds", language="JavaScript")
def a_fix_in_javascript_that_its_test_does_not_prove(repo: Repository, lie: bool) -> Ended:
    javascript_project(repo, {} if lie else {"sum.js": "export function sum(a, b) {\n  return a - b;\n}\n"})
    repo.write({"sum.js": "export function sum(a, b) {\n  const found = a + b;\n  return found;\n}\n"})
    claim(repo, "fix:test/sum.test.js::adds")
    return repo.verify()


def state(
    text: str,
    base: Mapping[str, str],
    lying: Files,
    honest: Files,
    *,
    mutants_s: float = 0,
    found: tuple[int, str, str] = REFUTED,
    named: str = "",
) -> None:
    """Register a twin that says ``text`` of one change or the other."""

    def stated(repo: Repository, lie: bool) -> Ended:
        return change(repo, base, lying if lie else honest, says=text, mutants_s=mutants_s)

    words = "".join(each if each.isalnum() else " " for each in f"{text.lower()} {named}").split()
    stated.__name__ = "_".join(["says", *words])
    pair(*found)(stated)


BASE = {"shop.py": SHOP, PATH: TOTAL}
RED = {"shop.py": BROKEN, PATH: TOTAL}
FOLLOWED: Files = {"shop.py": BROKEN, PATH: WRONG}
LOOSENED: Files = {"shop.py": BROKEN, PATH: WIDE}
GREENED: Files = {"shop.py": BROKEN + "\n", PATH: WRONG}
MORE = f"{TOTAL}\n\n{NONE}"
HALVES = f"{START}def test_total_of_two():\n    assert total([2, 3]) == {{}}\n\n\n{NONE}"

state("No behaviour change.", BASE, FOLLOWED, {"shop.py": TIDY, PATH: MORE}, mutants_s=300)
state("Pure refactoring.", BASE, LOOSENED, {"shop.py": TIDY}, mutants_s=300)
PRESERVED: Files = {"shop.py": TIDY, PATH: MORE}
state("Behaviour-preserving refactoring.", BASE, {"shop.py": BROKEN, PATH: None}, PRESERVED, mutants_s=300)

OPEN = (4, "CLAIM_UNSUPPORTED", "unit:statement:1")
GUARD = "    if price < 0:\n        raise ValueError(price)\n"
REFUND = f"\n\ndef refund(price):\n{GUARD}    return -price\n"
ROUND = "from math import floor as whole\n\n\n"
WHOLE = "\n\ndef price(net):\n    return whole(net)\n"
GUARDED = {"shop.py": ROUND + SHOP + REFUND + WHOLE, PATH: TOTAL, "clean.sh": "rm -rf build\n"}
TIDIED: Files = {"shop.py": ROUND + TIDY + REFUND + WHOLE}
for what, changed in {
    "of a guard that no test knows": {"shop.py": GUARDED["shop.py"].replace(GUARD, "")},
    "of what an import leads to": {"shop.py": GUARDED["shop.py"].replace("floor", "ceil")},
    "of a script": {"clean.sh": 'rm -rf "$HOME"\n'},
}.items():
    state("No behaviour change.", GUARDED, changed, TIDIED, mutants_s=300, found=OPEN, named=what)
BOUNDED = SHOP.replace("for price", "limit = 9\n    for price").replace(
    "found +=", "if price <= limit:\n            found +="
)
SPLIT = "def _within(price):\n    limit = 9\n    return price {} limit\n\n\n" + SHOP.replace(
    "found +=", "if _within(price):\n            found +="
)
for what, changed in {
    "of a bound that no test knows": BOUNDED.replace("<= limit", "< limit"),
    "of a bound on the way to a new function": SPLIT.format("<"),
    "of a branch that is new": SHOP.replace("found += price", "found += 0 if price > 99 else price"),
    "of a branch that is gone": SHOP,
}.items():
    state(
        "No behaviour change.",
        {"shop.py": SHOP if what.endswith("new") else BOUNDED, PATH: TOTAL},
        {"shop.py": changed},
        {"shop.py": TIDY if what.endswith("new") else SPLIT.format("<=")},
        mutants_s=300,
        found=OPEN,
        named=what,
    )
TAX = f"{SHOP}\n\ndef tax(net):\n    return net * 19 / 100\n"
OF_TAX = "import shop\n\n\ndef test_tax():\n    assert shop.tax(100) == 19\n"
BY_NAME: Files = {"shop.py": TAX, PATH: OF_TAX}
BY_RESULT: Files = {"shop.py": TAX, PATH: TOTAL + "\n\n" + NONE}
state(
    "Fixed a bug.",
    {"shop.py": SHOP.replace("found = 0", "found = 1")},
    BY_NAME,
    BY_RESULT,
    found=OPEN,
    named="by a name",
)
state("Existing tests pass unchanged.", BASE, FOLLOWED, {"shop.py": TIDY, PATH: MORE})
state("All existing tests pass.", BASE, LOOSENED, {"shop.py": TIDY})
state("Fixed a bug.", RED, GREENED, {"shop.py": SHOP, PATH: MORE})
state("Fixed `test_total`.", RED, GREENED, {"shop.py": SHOP})
state("Fixed the failing test `test_total`.", RED, {"shop.py": SHOP, PATH: WIDE}, {"shop.py": SHOP})
state("Added a regression test.", {"shop.py": BROKEN}, {"shop.py": SHOP, PATH: WIDE}, {"shop.py": SHOP, PATH: TOTAL})
state(
    "Renamed `test_total` to `test_sum`.",
    BASE,
    {"shop.py": BROKEN, PATH: WRONG.replace("test_total", "test_sum")},
    {PATH: TOTAL.replace("test_total", "test_sum")},
)
state(
    "Moved the tests to `tests/unit/`.",
    BASE,
    {"shop.py": BROKEN, PATH: None, "tests/unit/test_shop.py": WIDE},
    {PATH: None, "tests/unit/test_shop.py": TOTAL},
)
state(
    "Moved all tests to `tests/unit/`.",
    {"shop.py": SHOP, PATH: MORE},
    {PATH: TOTAL, "tests/unit/test_none.py": START + NONE},
    {PATH: None, "tests/unit/test_shop.py": MORE, "tests/test_calc.py": None, "tests/unit/test_calc.py": TEST_CALC},
)
state(
    "Split `test_total`.",
    {"shop.py": SHOP, PATH: TOTAL + "    assert total([]) == 0\n"},
    {"shop.py": BROKEN, PATH: HALVES.format(6).replace("== 0", "== 1")},
    {PATH: HALVES.format(5)},
)
state("Parametrised the tests.", BASE, {"shop.py": BROKEN, PATH: ROWS.format(START, 6)}, {PATH: ROWS.format(START, 5)})
