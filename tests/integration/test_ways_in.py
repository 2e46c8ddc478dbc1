"""Commits that come about without `git commit`: what git has a hook for is stopped there, the rest at the push.

Real git, the installed hooks and the real gate. An adapter of the repository reports failing tests where `bad.py` is.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hooked_repository import HookedRepository as Place
from release_tests import some_always

from verigate.cli import run_range
from verigate.domain.verification_job import JobSettings


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_merge_is_verified_before_it_is_made(place: Place) -> None:
    place.git("switch", "-q", "-c", "side")
    place.slip("bad.py")
    place.git("switch", "-q", "main")
    place.git("commit", "-q", "-m", "Meanwhile", "--allow-empty", "--no-verify")
    assert "TEST_FAIL" in place.stopped("merge", "--no-edit", "side")
    place.git("merge", "--abort")
    # One that holds is made, and is then known to be verified.
    place.git("switch", "-q", "side")
    place.git("rm", "-q", "bad.py")
    place.git("commit", "-q", "--no-verify", "-m", "Take it away")
    place.add("good.py")
    place.git("commit", "-q", "--no-verify", "-m", "Add good.py")
    place.git("switch", "-q", "main")
    place.git("merge", "-q", "--no-edit", "side")
    assert len(place.git("rev-list", "--parents", "-n", "1", "HEAD").split()) == 3


def test_the_resolution_of_a_conflict_is_verified(place: Place) -> None:
    """Of a merge and of a cherry-pick: the hook pre-commit, since it is `git commit` that ends them."""
    place.slip("f", "base\n")
    place.git("switch", "-q", "-c", "side")
    place.slip("f", "side\n")
    place.git("switch", "-q", "main")
    place.slip("f", "main\n")
    for begin, end in ((("merge", "side"), ()), (("cherry-pick", "side"), ("--no-edit",))):
        place.run(*begin)
        place.add("f", "both\n")
        place.add("bad.py")
        assert "TEST_FAIL" in place.stopped("commit", "--no-edit", *end)
        place.git("reset", "-q", "--hard")
        (place.root / "bad.py").unlink(missing_ok=True)


@pytest.mark.release
def test_a_patch_is_verified_before_it_is_committed(place: Place, tmp_path: Path) -> None:
    place.slip("good.py")
    place.slip("bad.py")
    place.git("format-patch", "-q", "-2", "-o", str(tmp_path / "patches"))
    place.git("reset", "-q", "--hard", "HEAD~2")
    good, bad = sorted(map(str, (tmp_path / "patches").iterdir()))
    place.git("am", "-q", good)
    assert "TEST_FAIL" in place.stopped("am", "-q", bad)
    place.git("am", "--abort")
    # `git rebase --apply` applies patches as well: there the push decides, as for any rebase.
    place.git("switch", "-q", "-c", "side", "HEAD~1")
    place.slip("bad.py")
    done = place.run("rebase", "--apply", "main")
    assert done.returncode == 0, done.stderr
    assert "a rebase is in progress" in done.stderr


def test_another_index_and_another_worktree_are_no_way_around(place: Place, tmp_path: Path) -> None:
    index = {"GIT_INDEX_FILE": str(place.root / ".git/other-index")}
    place.git("read-tree", "HEAD", **index)
    (place.root / "bad.py").write_text("x = 1\n")
    place.git("add", "bad.py", **index)
    assert "TEST_FAIL" in place.stopped("commit", "-q", "-m", "By another index", **index)
    (place.root / "bad.py").unlink()
    apart = tmp_path / "apart"
    place.git("worktree", "add", "-q", "-b", "apart", str(apart))
    place.add("bad.py", cwd=apart)
    assert "TEST_FAIL" in place.stopped("commit", "-q", "-m", "Elsewhere", cwd=apart)


def slip_by_option(place: Place) -> None:
    place.slip("bad.py")


def slip_by_cherry_pick(place: Place) -> None:
    place.git("switch", "-q", "-c", "side")
    place.slip("bad.py")
    place.git("switch", "-q", "main")
    place.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "Meanwhile")
    place.git("cherry-pick", "side")


def slip_by_fast_forward(place: Place) -> None:
    place.git("switch", "-q", "-c", "side")
    place.slip("bad.py")
    place.git("switch", "-q", "main")
    place.git("merge", "-q", "--ff-only", "side")


def slip_by_rebase(place: Place) -> None:
    place.git("switch", "-q", "-c", "side")
    place.slip("bad.py")
    place.git("switch", "-q", "main")
    place.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "Meanwhile")
    place.git("switch", "-q", "side")
    place.git("rebase", "-q", "main")
    place.git("switch", "-q", "main")
    place.git("merge", "-q", "--ff-only", "side")


def slip_by_plumbing(place: Place) -> None:
    place.add("bad.py")
    tree, head = place.git("write-tree"), place.git("rev-parse", "HEAD")
    place.git("update-ref", "refs/heads/main", place.git("commit-tree", tree, "-p", head, "-m", "Add bad.py"))


def name_way(slip: Callable[[Place], None]) -> str:
    return slip.__name__.removeprefix("slip_by_")


WAYS = [slip_by_option, slip_by_cherry_pick, slip_by_fast_forward, slip_by_rebase, slip_by_plumbing]
ALWAYS = [slip_by_option, slip_by_rebase]


@pytest.mark.parametrize("slip", some_always(WAYS, name_way, ALWAYS.__contains__, one_in=1000))
def test_what_no_hook_sees_is_verified_at_the_push(tmp_path: Path, slip: Callable[[Place], None]) -> None:
    place = Place(tmp_path, "--each-commit")
    slip(place)
    # A later commit hides it from who looks at the end alone, and this one goes by the hooks.
    place.git("rm", "-q", "bad.py")
    place.add("good.py")
    place.git("commit", "-q", "-m", "Take it away")
    said = place.stopped("push", "origin", "main")
    assert "never verified here" in said
    assert "Add bad.py (never verified before) TEST_FAIL" in said.replace("FAIL  ", "FAIL ")
    # What the hook has verified is not verified again.
    unknown, count = re.findall(r"(\d) of (\d) commits w\w+ never verified here", said)[0]
    assert (said.count("(never verified before)"), int(count)) == (int(unknown), int(unknown) + 1)
    assert place.git("ls-remote", "origin", "main").split()[0] == place.git("rev-parse", "origin/main")


@pytest.mark.release
def test_without_each_commit_a_push_says_what_was_never_verified(place: Place) -> None:
    place.slip("bad.py")
    place.git("rm", "-q", "bad.py")
    place.add("good.py")
    place.git("commit", "-q", "-m", "Take it away")
    done = place.run("push", "origin", "main")
    said = " ".join(done.stderr.split())
    assert done.returncode == 0, said
    # The commit's name follows at once: one of two is nothing usual.
    assert re.search(
        r"1 of 2 commits was never verified here: only the push as a whole is verified [0-9a-f]{12} ", said
    )
    assert "Add bad.py" in said
    # A single commit that passes there is known from then on.
    place.slip("more.py")
    alone = place.run("push", "origin", "main").stderr
    sentence = (
        "1 of 1 commit was never verified here: only the push as a whole is verified (usual for commits made before"
    )
    assert f"verigate: {sentence} `gate install`, or in a task)\n" in alone
    place.git("push", "-q", "--no-verify", "--force", "origin", "HEAD~1:main")
    again = place.run("push", "origin", "main")
    assert (again.returncode, "never verified" in again.stderr) == (0, False), again.stderr


@pytest.mark.release
def test_every_form_of_a_push_verifies_its_commits_once(tmp_path: Path) -> None:
    place = Place(tmp_path, "--each-commit")
    first = place.slip("one.py")
    place.slip("two.py")
    place.git("branch", "-q", "again")
    place.git("tag", "-a", "-m", "a tag", "v1")
    done = place.run("push", "origin", "main", "again", "v1", "HEAD~1:refs/heads/older")
    assert done.returncode == 0, done.stderr
    shown = [line.split()[1] for line in done.stdout.splitlines() if "never verified before" in line]
    # Several refs have the same commits: each is verified by itself once.
    assert len(shown) == len(set(shown)) == 2, done.stdout
    # A branch that is new there, one that is gone, and one that is forced to other commits.
    place.git("push", "-q", "origin", "main:refs/heads/new")
    place.git("push", "-q", "origin", "--delete", "new")
    place.git("reset", "-q", "--hard", first)
    place.slip("bad.py")
    assert "TEST_FAIL" in place.stopped("push", "--force", "origin", "main")
    # A remote that has nothing gets all of the history, from the empty tree: the first policy is looked at by a person.
    place.git("reset", "-q", "--hard", first)
    place.git("init", "-q", "--bare", str(tmp_path / "empty.git"))
    said = place.stopped("push", str(tmp_path / "empty.git"), "HEAD:refs/heads/main")
    assert "1 of 2 commits was never verified here" in said
    assert "the base (never verified before) INTEGRITY_FAIL" in said


def test_a_push_of_many_commits_is_bounded_and_says_so(
    place: Place, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for number in range(4):
        place.slip(f"f{number}.py")
    monkeypatch.setattr(run_range, "MOST_UNVERIFIED", 2)
    monkeypatch.chdir(place.root)
    for name in [name for name in os.environ if name.startswith(("GATE_", "GIT_", "VERIGATE_", "CI"))]:
        monkeypatch.delenv(name)
    for name, value in place.gated.environ().items():
        monkeypatch.setenv(name, value)
    settings = JobSettings(llm=False, touched=True)
    code = run_range.run_range(
        "origin/main..HEAD", settings, as_json=True, verbose=False, advisory=False, quiet=True, only_unverified=True
    )
    printed = capfd.readouterr()
    document = json.loads(printed.out)
    assert code == 0, printed
    assert [each["subject"] for each in document["commits"]] == ["Add f2.py", "Add f3.py"]
    assert all(each["never_verified"] for each in document["commits"])
    assert document["whole"]["status"] == "pass"
    assert "4 of 4 commits were never verified here" in printed.err
    assert "only the newest 2 of them by themselves; 2 older ones as part of the whole" in printed.err


@pytest.mark.release
def test_a_form_of_hook_is_kept_and_shown(tmp_path: Path) -> None:
    place = Place(tmp_path, "--each-commit")
    hook = place.root / ".git/hooks/pre-push"
    assert '--range "$base..$tip" --unverified' in hook.read_text()
    hook.chmod(0o644)
    fixed = place.gated.gate("doctor", "--fix", "--json")
    assert hook.stat().st_mode & 0o111, fixed.output
    assert "--unverified" in hook.read_text()
    hooks = ("pre-commit", "pre-merge-commit", "commit-msg", "pre-applypatch", "pre-push")
    found = {item["code"]: item for item in fixed.json["checks"]}
    for name in hooks:
        if name != "commit-msg":
            assert "let an honest commit pass and blocked a false one" in found[f"blocks.{name}"]["message"], found
    assert place.gated.gate("install").code == 0
    assert "--unverified" not in hook.read_text()
    removed = place.gated.gate("uninstall", "--json").json["hooks"]
    assert [item["hook"] for item in removed if item["action"] == "removed"] == list(hooks)
    assert place.gated.gate("install", "--agent", "claude", "--each-commit").code == 2
    assert place.gated.gate("verify", "--unverified").code == 2
