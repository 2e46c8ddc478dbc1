"""gate log: what commits say, held against what they do, on a real repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from defusedxml import ElementTree
from repositories import Repository

from verigate.domain.commit_text import CommitText
from verigate.domain.ledger import LedgerEntry, LedgerStatement, Standing
from verigate.reporting.ledger import render_entry
from verigate.statements.commits.message import split_message

_CART = "def total(items):\n    return sum(items)\n"
_PINNED = "jobs:\n  test:\n    steps:\n      - uses: actions/cache@v{}\n"


@pytest.fixture(name="history")
def _history(tmp_path: Path) -> Repository:
    repository = Repository.make(tmp_path / "repo")
    repository.commit({"cart.py": _CART, ".github/workflows/ci.yml": _PINNED.format(4)}, "Begin")
    repository.commit({".github/workflows/ci.yml": _PINNED.format(5)}, "Bump actions/cache from 4 to 5")
    repository.commit(
        {"cart.py": _CART.replace("sum(items)", "round(sum(items), 2)"), "README.md": "# Cart\n"},
        "docs: describe the cart\n\n- Add `rounded_total`\n\nSigned-off-by: A <a@example.org>\n",
    )
    repository.commit({"notes.txt": "x\n"}, "Think about it again")
    return repository


def test_a_ledger_says_what_holds_what_is_refuted_and_what_is_open(history: Repository) -> None:
    done = history.gate("log", "-n", "3", "--json")
    assert done.exit_code == 0, done.stderr
    ledger = json.loads(done.stdout)
    found = [[(each["text"], each["standing"]) for each in commit["statements"]] for commit in ledger["commits"]]
    assert found == [
        [("Think about it again", "open")],
        [("docs: describe the cart", "refuted"), ("Add `rounded_total`", "refuted")],
        [("Bump actions/cache from 4 to 5", "holds")],
    ]
    assert ledger["counts"] == {"holds": 1, "refuted": 2, "open": 1}
    assert "cart.py" in ledger["commits"][1]["statements"][0]["message"]


@pytest.mark.release
def test_the_text_names_each_commit_and_the_sum(history: Repository) -> None:
    done = history.gate("log", "HEAD~3..HEAD")
    assert done.exit_code == 0, done.stderr
    assert b"Bump actions/cache from 4 to 5\n  holds" in done.stdout
    assert done.stdout.endswith(b"3 commits, 4 statements: 1 holds, 2 refuted, 1 open\n")


def test_nothing_is_left_behind(history: Repository) -> None:
    before = sorted(path.name for path in history.root.iterdir())
    history.gate("log", "-n", "2")
    assert sorted(path.name for path in history.root.iterdir()) == before


@pytest.mark.release
def test_shares_are_drawn_by_week(history: Repository, tmp_path: Path) -> None:
    done = history.gate("log", "-n", "3", "--plot", str(tmp_path / "shares.svg"))
    assert done.exit_code == 0, done.stderr
    drawn = ElementTree.fromstring((tmp_path / "shares.svg").read_bytes())
    texts = {element.text for element in drawn.iter() if element.text}
    assert {"holds", "refuted", "open"} <= texts


def test_a_range_that_is_none_is_refused(history: Repository) -> None:
    done = history.gate("log", "--", "--output=x")
    assert done.exit_code == 2, done.stdout
    assert not (history.root / "x").exists()
    for unknown in ("nowhere", "nowhere..HEAD"):
        refused = history.gate("log", unknown)
        assert refused.exit_code == 2
        assert f"'{unknown}' is no commit and no range of commits" in " ".join(refused.stderr.decode().split())
        assert b"try: git log shows the commits" in refused.stderr
        assert b"rev-list" not in refused.stderr
    history.git("checkout", "-q", "--orphan", "new")
    assert b"the current branch has no commit yet" in history.gate("log").stderr


def test_outside_of_git_it_says_so(history: Repository) -> None:
    (history.root / ".git").rename(history.root / "git")
    done = history.gate("log")
    assert done.exit_code == 2
    assert b"this is no git repository" in done.stderr


@pytest.mark.parametrize(
    ("message", "statements"),
    [
        ("", ()),
        ("Fix it", ("Fix it",)),
        ("Fix it\n\nCloses #4\n", ("Fix it",)),
        ("Fix it\n\nIt was wrong.\n\nCo-authored-by: A <a@b.c>\nSigned-off-by: A <a@b.c>", ("Fix it", "It was wrong.")),
        (
            (
                "Bump a from 1 to 2\n\nBumps a from 1 to 2.\n- [Commits](https://a.b/c)\n\n---\nupdated-dependencies:\n"
                "- dependency-name: a\n...\n"
            ),
            ("Bump a from 1 to 2", "Bumps a from 1 to 2."),
        ),
    ],
)
def test_a_message_is_its_subject_and_what_its_body_says(message: str, statements: tuple[str, ...]) -> None:
    assert split_message(message) == statements


@pytest.mark.release
def test_a_revert_takes_back_what_the_commit_did(history: Repository) -> None:
    bumped = history.git("rev-parse", "HEAD~2").strip()
    history.git("revert", "--no-edit", bumped)
    history.commit(
        {"cart.py": "x = 1\n"},
        f'Revert "Think about it again"\n\nThis reverts commit {history.git("rev-parse", "HEAD~1").strip()}.\n',
    )
    history.commit({"y.txt": "y\n"}, 'Revert "Never done"')
    history.commit({"notes.txt": "x\ny\n"}, 'Revert "--output=z"\n\nThis reverts commit 0123456789.')
    history.commit({"notes.txt": None, "README.md": "# Carts\n"}, "revert: Think about it again")
    ledger = json.loads(history.gate("log", "-n", "5", "--json").stdout)
    found = [[each["standing"] for each in commit["statements"]] for commit in ledger["commits"]]
    assert found == [["open"], ["open", "open"], ["open"], ["refuted", "refuted"], ["holds", "holds"]]
    assert "nothing of" in ledger["commits"][3]["statements"][0]["message"]
    assert not (history.root / "z").exists()


def test_a_terminal_gets_colours() -> None:
    commit = CommitText("a" * 40, "", "", "Add it")
    entry = LedgerEntry(commit, (LedgerStatement("Add it", Standing.REFUTED, "x", "y"),))
    assert "\x1b[1m" in render_entry(entry, colour=True)
