"""What prose discloses of weakenings, and what it doesn't."""

from __future__ import annotations

import pytest

from verigate.statements.prose_disclosures import Weakened, read_prose

IDN = Weakened("test_removed", "tests/test_urls.py", "test_idn_host")
IDN_PORT = Weakened("test_removed", "tests/test_urls.py", "TestHosts.test_idn_host_with_port")
LOST = Weakened("lost", "tests/test_cart.py", "test_total_of_nothing")
WINDOWS = Weakened("test_skipped", "tests/test_sed.py", "test_edit", 'skipif(sys.platform == "win32")')
RULE = Weakened("lint_config_weakened", "pyproject.toml", None, "ruff: lint.ignore: S110 is left out")
NOQA = Weakened("suppression_added", "a.py", None, "new suppression (B028): # noqa: B028")
ALL_RULES = Weakened("suppression_added", "a.py", None, "new suppression (everything): # type: ignore")
TOOL = Weakened("check_command_weakened", ".github/workflows/ci.yml", None, "no step runs flake8 any more")
WEAKER = Weakened("assertion_weakened", "tests/test_cart.py", "test_total", "it accepts more")


OF_COMMAND = Weakened("test_removed", "test/command.js", "execaCommand() allows spaces")
EXAMPLE = Weakened(
    "check_command_weakened", "examples/esm/jest-javascript/package.json", None, "the script test is gone"
)
OF_EXAMPLE = Weakened("test_removed", "examples/esm/jest-javascript/a.spec.js", "get a name")
IN_TESTS = Weakened(
    "check_command_weakened", ".github/workflows/tests.yml", None, "the step 'pytest' judges less: || true"
)
IN_CI = Weakened("ci_nonfatal", ".github/workflows/ci.yml", None, "the pipelines no longer run on push")
SKIPPED = Weakened("test_skipped", "tests/shop/test_cart.py", "test_total", "disabling marker added (pytest.mark.skip)")
OF_WORDS = Weakened("test_removed", "tests/unit/shop/test_users.py", "test_get_user")
TITLE = Weakened("test_removed", "test/a.js", "works")
LEVEL = Weakened("lint_config_weakened", "eslint.config.js", None, "eslint: rules.no-eval: error is gone")
MADE = Weakened("check_command_weakened", "ci.yml", None, "no step runs make test any more")
HOOK = Weakened("hook_weakened", ".pre-commit-config.yaml", None, "the hook zizmor is gone")
OF_CLASS = Weakened("test_removed", "tests/test_dicts.py", "TestCaselessDict.test_repr")
UNCOVERED = Weakened("suppression_added", "a.py", None, "new suppression (everything): # pragma: no cover")
PUSH = Weakened("ci_nonfatal", ".github/workflows/codspeed.yml", None, "the pipelines no longer run on push")


@pytest.mark.parametrize(
    ("text", "weakened", "covered"),
    [
        ("Add zizmor as an action\n\n* remove zizmor from pre-commit", [HOOK], [0]),
        ("Drop the zizmor hook", [HOOK], [0]),
        ("Exclude flaky watchfiles exclude-dir branch from coverage (#2974)", [UNCOVERED], [0]),
        ("Exclude the flaky branch from coverage", [UNCOVERED, UNCOVERED], []),
        ("Exclude the flaky branch from coverage", [ALL_RULES], []),
        ("Exclude generated files. Improve coverage", [UNCOVERED], []),
        ("Remove unused steps found by zizmor", [HOOK], []),
        ("Keep zizmor, remove black", [HOOK], []),
        ("Remove deprecated CaselessDict and md5sum() (#8023)", [OF_CLASS, IDN], [0]),
        ("Remove a bug in CaselessDict (#8023)", [OF_CLASS], []),
        ("Remove the IDN host tests", [IDN, IDN_PORT, LOST], [0, 1]),
        ("Remove 2 IDN host tests", [IDN, IDN_PORT], [0, 1]),
        ("Delete test_total_of_nothing", [IDN, LOST], [1]),
        ("The test of the total of nothing was dropped.", [LOST], [0]),
        ("Skip on Windows: no sed there", [WINDOWS], [0]),
        ("Skip test_edit", [WINDOWS], [0]),
        ("Ignore S110, since broad excepts are meant", [RULE, NOQA], [0]),
        ("Silence B028 where the stack differs", [RULE, NOQA], [1]),
        ("Drop flake8, ruff covers it", [TOOL], [0]),
        ("Accept a wider range in test_total", [WEAKER], [0]),
        ("Remove `execaCommand()` and `execaCommandSync()`", [OF_COMMAND, IDN], [0]),
        ("Remove jest esm examples", [OF_EXAMPLE, EXAMPLE, IDN], [0]),
        ("Only run codspeed against PRs", [PUSH, TOOL], [0]),
        ("Ignore the linter error", [NOQA], [0]),
        ("Ignore the linter error", [NOQA, ALL_RULES], []),
        ("Remove examples", [EXAMPLE], []),
        ("Use `execaCommand()`", [OF_COMMAND], []),
        ("Remove a blank line", [IN_TESTS, IN_CI, LEVEL, MADE], []),
        ("Remove noise from ci", [IN_TESTS, IN_CI], []),
        ("Skip disabled markers", [SKIPPED], []),
        ("Disable pytest", [SKIPPED], []),
        ("Ignore the cart of the shop", [SKIPPED], []),
        ("Skip on Windows", [SKIPPED], []),
        ("Remove user get caching", [OF_WORDS], []),
        ("Remove unused shop units", [OF_WORDS, SKIPPED], []),
        ("Remove a hack that works around it", [TITLE], []),
        ("Remove the test that works", [TITLE], [0]),
        ("Remove error handling", [LEVEL], []),
        ("Remove the need to make copies", [MADE], []),
        ("Drop make test", [MADE], [0]),
        ("Remove `execaCommand()` from the docs", [OF_COMMAND], []),
        ("Some cleanup", [IDN, LOST, RULE, TOOL], []),
        ("Remove tests", [IDN, LOST], []),
        ("Remove some old tests", [IDN], []),
        ("Clean up test_idn_host", [IDN], []),
        ("Do not remove the IDN host tests", [IDN], []),
        ("Remove the IDN host tests", [LOST], []),
        ("Skip the IDN host tests", [IDN], []),
        ("Remove ruff", [TOOL], []),
        ("Allow everything", [ALL_RULES], []),
        ("Ignore more rules", [RULE], []),
        ("Nothing of the IDN host tests is removed", [IDN], []),
        ("test_edit is skipped on Windows", [WINDOWS], [0]),
        ("Mark test_edit as skipped", [WINDOWS], [0]),
        ("Add a skip marker to test_edit", [WINDOWS], [0]),
        ("Fix CI: skip the flaky `test_edit` and test_total", [WINDOWS, SKIPPED], [0, 1]),
        ("Re-enable test_edit, which was disabled by mistake", [WINDOWS], []),
        ("Stop skipping test_edit", [WINDOWS], []),
        ("Run test_edit again after somebody had disabled it", [WINDOWS], []),
        ("Stop ignoring test_edit: it was skipped for long enough", [WINDOWS], []),
        ("Remove the skip of `test_edit`", [WINDOWS], []),
        ("Fix the skipped test_edit", [WINDOWS], []),
        ("Skip the comment above test_edit", [WINDOWS], []),
        ("Skip blank lines in the total tests of the cart", [SKIPPED], []),
        ("Stop skipping the IDN host tests", [Weakened("test_skipped", "tests/test_urls.py", "test_idn_host")], []),
        ("Remove a comment above test_idn_host", [IDN], []),
        ("Drop the blank line after test_idn_host", [IDN], []),
        ("Remove the old name of test_idn_host from the docs", [IDN], []),
        ("Make test_total more strict", [WEAKER], []),
        ("Make test_total less strict", [WEAKER], [0]),
        ("Skip test_edit.\n\nNo tests were skipped.", [WINDOWS, RULE], []),
        ("Skip test_edit. No existing test was weakened.", [WINDOWS], []),
    ],
)
def test_what_is_said_has_to_cover_each(text: str, weakened: list[Weakened], covered: list[int]) -> None:
    assert [index for index, _ in read_prose([text], weakened).covered] == covered


GAPS = Weakened("test_skipped", "a.test.ts", "merge > keeps gaps", "it.skip")
OTHER_GAPS = Weakened("test_skipped", "b.test.ts", "split > keeps gaps", "it.skip")
STAYS = Weakened("test_skipped", "a.test.ts", "queue > does not shrink", "it.skip")
CART = Weakened("test_skipped", "tests/test_shop.py", "test_cart_total", "skip")
DENIED = "it discloses nothing since it says"


@pytest.mark.parametrize(
    ("text", "weakened", "covered"),
    [
        # Before: none was covered.
        ('Skip "keeps gaps" until the format is settled', [GAPS], [0]),
        ("Skip `keeps gaps`", [GAPS], [0]),
        ('Skip "does not shrink" for now', [STAYS], [0]),
        ('Skip the test "does not shrink": the queue will not shrink any more', [STAYS], [0]),
        ("Skip test_edit because the parser does not read it", [WINDOWS], [0]),
        # As before.
        ("Skip keeps gaps", [GAPS], []),
        ('Skip "keeps gaps"', [GAPS, OTHER_GAPS], []),
        ('Skip the comment on "keeps gaps"', [GAPS], []),
        ('Remove "keeps gaps"', [GAPS], []),
        ('Do not skip "keeps gaps"', [GAPS], []),
        ("Do not skip test_edit: it works", [WINDOWS], []),
        ("In CI, never skip test_edit because of sed", [WINDOWS], []),
        ("Skip the cart tests: not that of the total", [CART], []),
        ("Skip test_total: not test_edit", [WINDOWS], []),
    ],
)
def test_a_reason_may_deny_and_a_title_in_quotes_is_a_name(
    text: str, weakened: list[Weakened], covered: list[int]
) -> None:
    assert [index for index, _ in read_prose([text], weakened).covered] == covered


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Do not skip test_edit", (f"{DENIED} 'not': Do not skip test_edit",)),
        ("Skip the comment above test_edit", ("the verb isn't about the test: Skip the comment above test_edit",)),
        ("Do not skip test_edit.\n\nSkip test_edit.", ()),
        ("Do not skip blank lines", ()),
        (
            "Skip test_edit.\n\nNo tests were skipped.",
            ("no sentence discloses a test since one denies it: No tests were skipped.",),
        ),
    ],
)
def test_a_sentence_that_discloses_nothing_is_a_fault_where_it_could(text: str, faults: tuple[str, ...]) -> None:
    assert read_prose(text.split("\n"), [WINDOWS]).faults == faults


def test_a_wrong_number_is_a_fault_and_covers_nothing() -> None:
    read = read_prose(["Remove 3 IDN host tests"], [IDN, IDN_PORT])
    assert read.covered == ()
    assert read.faults == ("it says 3, and 2 are affected: Remove 3 IDN host tests",)


def test_a_sentence_that_is_too_long_discloses_nothing() -> None:
    assert read_prose([f"Remove the IDN host tests {'x ' * 300}"], [IDN]).covered == ()
