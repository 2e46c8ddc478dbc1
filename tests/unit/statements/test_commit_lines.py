"""Subjects of commits, and the facts that each would have to agree with."""

from __future__ import annotations

import time

import pytest

from verigate.domain.statement_reading import StatementKind
from verigate.statements.commits.deeds import read_deed
from verigate.statements.commits.message import split_message
from verigate.statements.commits.objects import list_names
from verigate.statements.commits.reading import read_commit_line
from verigate.statements.commits.subject_line import parse_subject
from verigate.statements.reading import read_statement

READ = (
    ("Bump actions/setup-python from 5 to 6", ["pin:actions/setup-python = from 5 to 6"]),
    ("chore(deps-dev): bump @types/node from 20.1.0 to 20.2.0 (#12)",
     ["pin:@types/node = from 20.1.0 to 20.2.0"]),
    ("Update dependency prettier to v3.9.5", ["pin:prettier = to v3.9.5"]),
    ("chore(deps): update autofix-ci/action digest to ff86a55",
     ["pin:autofix-ci/action = to ff86a55"]),
    ("chore(deps): update all non-major dependencies", ["pins >= 1"]),
    ("[pre-commit.ci] pre-commit autoupdate (#1262)", ["pins >= 1"]),
    ("Bump the github-actions group with 2 updates", ["pins >= 2"]),
    ("Remove backtrace dependency, always unused", ["pin:backtrace = removed"]),
    ("Release 2.7.0", ["own = 2.7.0"]),
    ("chore(main): release left-pad 2.7.0 (#12)", ["own:left-pad = 2.7.0"]),
    ("feat(lines): add `wrap` util", ["name:wrap = defined"]),
    ("regex-automata-0.4.15", ["own:regex-automata = 0.4.15"]),
    ("Drop Python 3.8 support", ["runtime:python = without 3.8"]),
    ("ci: build on go 1.25", ["only = ci", "runtime:go = with 1.25"]),
    ("Bump MSRV to 1.71", ["runtime:rust = at 1.71"]),
    ("Add support of `pathlib.Path` to `edit`", ["name:pathlib.Path = added edit"]),
    ("Add assert_hostname and assert_fingerprint to SSL_KEYWORDS",
     ["name:assert_hostname = added SSL_KEYWORDS", "name:assert_fingerprint = added SSL_KEYWORDS"]),
    ("Remove unused `legacy()` helper", ["name:legacy = removed"]),
    ("Extract `net_tax` from `bill`", ["name:net_tax = defined", "name:net_tax = more bill"]),
    ("Extract helpers `a1` and `a2`", ["name:a1 = defined", "name:a2 = defined"]),
    ("Rename `gather` to `collect`", ["renamed:gather = collect"]),
    ("Rename `gather` to `collect`, and its tests", ["renamed:gather = collect", "followed:gather = collect"]),
    ("Rename gather_all to collect_all in the code and its tests",
     ["renamed:gather_all = collect_all", "followed:gather_all = collect_all"]),
    ("Rename `a1` to `b1`, `a2` to `b2` and `a3` to `b3`", ["renamed:a1 = b1", "renamed:a2 = b2", "renamed:a3 = b3"]),
    ("Move `total` to `shop/sums.py` and `clamped` from `x.py` to `shop/limits.py`",
     ["moved:total = shop/sums.py", "moved:clamped = shop/limits.py from x.py"]),
    ("Move `half` from module `shop.x` to `y.py` and `third` to `y.py` from `z.py`",
     ["moved:half = y.py from shop.x", "moved:third = y.py from z.py"]),
    ("Move `half` out of `x.py` into `y.py`", ["moved:half = y.py from x.py"]),
    ("Rename `gather()` to `collect()` everywhere", ["renamed:gather = collect", "name:gather = gone"]),
    ("Renamed `gather` to `collect`; no code uses the old name any more",
     ["renamed:gather = collect", "name:gather = gone"]),
    ("Rename `gather` to `collect` throughout, tests and README included",
     ["renamed:gather = collect", "followed:gather = collect", "name:gather = gone", "name:collect = documented",
      "name:README = near"]),
    ("Rename `gather` to `collect`, including its tests", ["renamed:gather = collect", "followed:gather = collect"]),
    ("Rename `a1` to `b1` and `a2` to `b2` throughout the code",
     ["renamed:a1 = b1", "name:a1 = gone", "renamed:a2 = b2", "name:a2 = gone"]),
    ("Rename `gather` to `collect` and its tests everywhere",
     ["renamed:gather = collect", "followed:gather = collect", "name:gather = gone"]),
    ("Move tests/test_a.py to tests/unit/", ["moved:tests/test_a.py = tests/unit/"]),
    ("Move `half` to shop/ and `third` from `z.py` to docs/",
     ["moved:half = shop/", "moved:third = docs/ from z.py"]),
    ("chore: Release", ["own = changed"]),
    ("Bumped up the version", ["own = changed"]),
    ("actions/setup-go v6", ["pin:actions/setup-go = at v6"]),
    ("Switch to `actions/checkout@v4`", ["pin:actions/checkout = to v4"]),
    ("Pin setup-uv to a commit sha", ["pin:setup-uv = changed"]),
    ("Update to latest clap", ["pin:clap = raised"]),
    ("Upgrade clap and serde to the latest version", ["pin:clap = raised", "pin:serde = raised"]),
    ("Update Rust Stable to v1.98", ["runtime:rust = at 1.98"]),
    ("Run CI tests on Node 23", ["runtime:node = with 23"]),
    ("Run CI with PHP 8.3 (#12).", ["runtime:php = with 8.3"]),
    ("Use node 18 in CI", ["runtime:node = with 18"]),
    ("docs: fix grammar issues", ["only = docs", "only = spelling"]),
    ("Fix `FORWARDED` typo.", ["only = spelling", "name:FORWARDED = near"]),
    ("docs: cleanup", ["only = docs", "only = docs"]),
    ("Update the cache guide links in README.md",
     ["only = texts", "words:docs = cache guide links", "name:README.md = near"]),
    ("Group Docker updates in dependabot config", ["only = pipelines", "words:ci = docker updates"]),
    ("Add a regression test for the wake-up on close",
     ["only = examined", "words:tests = wake-up close"]),
    ("Use `token_urlsafe` instead of `token_hex`", ["name:token_hex = less", "name:token_urlsafe = more"]),
    ("Implement `refund`", ["name:refund = implemented"]),
    ("Implement `dry_run` option", ["name:dry_run = added"]),
    ("Add helper `refund` to `Cart`", ["name:refund = defined Cart"]),
    ("Add `refund` function with `rate`", ["name:refund = defined", "name:rate = added"]),
    ("Add refund function", ["name:refund = defined"]),
    ("`cart.py`: implemented `refund`", ["name:refund = implemented cart.py"]),
    ("Replace `a1` with `b1` in `c.py`", ["name:a1 = less c.py", "name:b1 = more c.py"]),
    ("Deprecate `isolated_filesystem`", ["name:isolated_filesystem = deprecated"]),
    ("Delete stale.yml (#720)", ["name:stale.yml = removed"]),
    ("Fix typos in `README.md`", ["only = spelling", "name:README.md = near"]),
    ("docs: clarify extension filter scope", ["only = docs", "words:docs = extension filter scope"]),
    ("style: gofumpt", ["only = layout", "only = layout"]),
    ("Update documentation", ["only = docs"]),
    ("Update actions/checkout@v6 -> v7", ["pin:actions/checkout = from v6 to v7"]),
    ("Bump @types/node@20.1 to 20.2", ["pin:@types/node = from 20.1 to 20.2"]),
    ("Update to syn 3", ["pin:syn = to 3"]),
    ("Enforce trybuild >= 1.0.108", ["pin:trybuild = to 1.0.108"]),
    ("chore: bump @typescript-eslint packages to ^8.58.0", ["pin:@typescript-eslint/* = to 8.58.0"]),
    ("chore: update node engine requirement to >=22", ["runtime:node = at 22"]),
    ("Drop 3.9 (#800)", ["runtime:* = without 3.9"]),
    ("Add 3.14", ["runtime:* = with 3.14"]),
    ("Clarify block outer scope docs", ["only = texts", "words:docs = block outer scope"]),
    ("More comments about nsref assignment", ["only = texts", "words:docs = nsref assignment"]),
    ("Document support for multiple inputs", ["words:documented = multiple inputs"]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "facts"), READ, ids=[text for text, _ in READ])
def test_the_facts_of_a_subject(text: str, facts: list[str]) -> None:
    reading = read_commit_line(text)
    assert [f"{fact.what} {fact.relation.value} {fact.value}" for fact in reading.facts] == facts
    assert reading.kind is StatementKind.CLAIM
    assert reading.unread == ()


@pytest.mark.parametrize(
    "text",
    [
        "Fix CapacityLimiter over-granting tokens on asyncio",
        "Rename `gather` to `collect` and `keep`",
        "Rename `gather` to `collect` and its callers",
        "Rename `gather` to `collect` in most tests",
        "Rename `gather` to shop/",
        "Rename `gather` to `collect` everywhere but in the docs",
        "Rename `gather` to `collect` everywhere on Linux",
        "Rename `gather` to `collect` throughout, tests and README included on Linux",
        "Rename `gather` to `collect`, some tests included",
        "Rename `gather` to `collect`; hardly any code uses the old name",
        "Rename `gather` to `collect` almost everywhere",
        "Move `gather` to shop/ on Linux",
        "Add `round_to` so that totals are right",
        "Bump things",
        "Update to latest",
        "Update to the latest dependencies",
        "step 2",
        "Use releases to track changelogs",
        "automata: cleanup",
        "Fix all links in README.md",
        "Add tests for closing",
        "Add tests for closing that fail on Windows",
        "Remove",
        "",
        "docs: do not mention `legacy` any more",
        "Drop 3",
        "chore: Upgrade dependencies for v1.9.0",
        "Document all options",
        "Document and test Windows fixes",
    ],
)
def test_what_a_subject_says_beyond_its_phrases_is_unread(text: str) -> None:
    reading = read_commit_line(text)
    assert not reading.facts or reading.unread or "pin:things" in {fact.what for fact in reading.facts}


@pytest.mark.parametrize("text", ["Drop Python 3.8 support", "Bump actions/cache from 4 to 5", "Rename `a_b` to `c_d`"])
def test_an_imperative_to_a_person_states_nothing(text: str) -> None:
    assert not any(fact.artifact == "changes.json" for fact in read_statement(text).facts)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("feat(cart)!: add totals (#12)", ("feat", "cart", "add totals")),
        ("[docs] Fix links. Closes #4", ("docs", "", "Fix links")),
        (":bug: Fix it (fixes #3)", ("", "", "Fix it")),
        ("Documentation: more", ("docs", "", "more")),
        ("x: not a type", ("", "", "x: not a type")),
    ],
)
def test_a_subject_line_is_taken_apart(line: str, parts: tuple[str, str, str]) -> None:
    found = parse_subject(line)
    assert (found.type, found.scope, found.text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "I added WithTax and Refund.",
        "I added WithTax and Refund and Invoice.",
        "Added WithTax, Refund and Invoice.",
        "I implemented with_tax and refund.",
        "I added `with_tax` and refund.",
        "I added WithTax and Refunds for customers.",
        "I added WithTax and tests.",
        "I added min_price with caching.",
        "I added min_price, caching and retries.",
        "Added min_price and logging to the shop.",
        "I removed old_total and legacy.",
        "I added tests for min_price and mean.",
        "Added min_price to SHOP and till.",
        "Renamed min_price and mean to low_price.",
    ],
)
def test_a_word_after_a_name_is_never_lost(text: str) -> None:
    assert read_deed(text) is None, read_deed(text)
    subject = read_commit_line(text.removesuffix("."))
    named = [clause for clause in subject.clauses if any(fact.what.startswith("name:") for fact in clause.facts)]
    assert not named, subject


@pytest.mark.parametrize(
    ("message", "statements"),
    [
        ("Add `mean`. All 9 tests pass.", ("Add `mean`.", "All 9 tests pass.")),
        ("All 9 tests pass. Add `mean`.\n\nNo lint errors.", ("Add `mean`.", "All 9 tests pass.", "No lint errors.")),
        ("All tests pass. No lint errors.", ("All tests pass.", "No lint errors.")),
        ("Use the order of Python. Fixes #1047.", ("Use the order of Python. Fixes #1047.",)),
        ("Add `mean`. All tests pass, except one.", ("Add `mean`. All tests pass, except one.",)),
        ("fix: v1.2. a", ("fix: v1.2. a",)),
    ],
)
def test_a_sentence_of_the_subject_that_states_facts_is_read(message: str, statements: tuple[str, ...]) -> None:
    assert split_message(message) == statements


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I added WithTax and `Refund`.", ["WithTax", "Refund"]),
        ("ADDED withTax, a_b and C_D.", ["withTax", "a_b", "C_D"]),
        ("Added `with_tax` and refund().", ["with_tax", "refund"]),
        ("I extracted `with_tax` and refund().", ["with_tax", "refund"]),
    ],
)
def test_verbs_are_read_in_any_case_and_names_in_their_own(text: str, names: list[str]) -> None:
    reading = read_deed(text)
    assert reading is not None
    assert [fact.what for fact in reading.facts] == [f"name:{name}" for name in names]


def test_names_are_what_prose_has_not() -> None:
    assert list_names("Add `a b`, total(), os.path, --fail-fast, CamelCase and src/a.py but not Word, e.g or and") == [
        "a b", "total", "os.path", "--fail-fast", "CamelCase", "src/a.py",
    ]  # fmt: skip


HOSTILE = (
    "add " + "a_b/" * 100 + " !",
    "add " + "a_b, " * 90 + "!",
    "remove " + "`a` and " * 60 + "!",
    "add " + "a.b." * 110 + "!",
    "bump " + "a/" * 230 + " !",
    "bump " + "a, " * 150 + "!",
    "update " + "the " * 110 + "!",
    "fix " + "typo and " * 50 + "!",
    "fix typo in " + "x " * 230,
    "docs: " + "x " * 230,
    "rename " + "a_b to " * 60 + "!",
    "add " + "option " * 60 + "a_b " + "option " * 5 + "!",
    "add A" + "aA" * 230 + " !",
    "bump x from 1 to 2" + " in a" * 85 + " !",
    "support " + "for " * 100 + "!",
    "a: " * 150,
    "Fix it " + "fixes #1 " * 50,
    "`" * 480,
    "move a_b to " + "a/" * 240 + " !",
    "move a_b to " + "the " * 110 + "a/!",
)
MOST_S = 4.0
"""What all of them may take together; what takes the square of its length takes minutes."""


def test_reading_takes_time_in_proportion() -> None:
    start = time.process_time()
    for text in HOSTILE:
        read_commit_line(text[:499])
    assert time.process_time() - start < MOST_S
