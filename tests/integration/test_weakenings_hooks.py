"""Weakenings in git's own hooks, with real git and the real gate: what is committed, by whichever command, is judged.

The hook commit-msg is a convenience: what passes it by is stopped by the push, which decides again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from npm_tools import hook_manager
from release_tests import some_always
from sample_repository import clean_environ

from verigate.doctor.hook_probe import probe_hook
from verigate.integrations.git.hook_states import read_installed

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
ORDER = '["code:diff", "code:integrity"]'
PLAN = f'{{"code": {{"order": {ORDER}, "required": {ORDER}, "optional": []}}}}'
PROFILES = '{"code_default": {"integrity": true, "weakening": "disclose"}}'
TEST = """\
import pytest


def test_total():
    assert sum([2, 3]) == 5


def test_rate():
    assert round(1.08, 1) == 1.1
"""
SKIPPED = TEST.replace("def test_rate", "@pytest.mark.skip\ndef test_rate")
OTHER = TEST.replace("test_total", "test_sum").replace("test_rate", "test_round")
OTHER_SKIPPED = OTHER.replace("def test_round", "@pytest.mark.skip\ndef test_round")
REASON = "the service is shut down"

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Shop:
    """A repository with tests, a remote that has its first commit, and the gate's hooks."""

    root: Path
    environ: dict[str, str]

    def run(self, *argv: str | Path, code: int = 0, **environ: str) -> str:
        done = subprocess.run(
            argv, cwd=self.root, env={**self.environ, **environ}, capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == bool(code), f"{argv}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def git(self, *arguments: str, code: int = 0, **environ: str) -> str:
        return self.run("git", *arguments, code=code, **environ)

    def write(self, name: str, content: str, mode: int = 0o644) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(mode)

    def refuse(self, *arguments: str, **environ: str) -> str:
        """Run git, which is stopped by an undisclosed weakening; return the line to paste, with a reason."""
        said = self.git(*arguments, code=1, **environ)
        found = re.search(r"^ +(Weakens: \w+ \S+ [0-9a-f]{12}) \(…\)$", said, re.MULTILINE)
        assert found is not None, said
        return f"{found[1]} ({REASON})"

    def subject(self) -> str:
        return self.git("log", "-1", "--format=%s").strip()

    def skip(self) -> str:
        """Commit a skipped test with the line that discloses it; return the line."""
        self.write("test_shop.py", SKIPPED)
        line = self.refuse("commit", "-a", "-m", "Skip")
        self.git("commit", "-a", "-m", "Skip", "-m", line)
        return line

    def edit(self, text: str) -> dict[str, str]:
        """The environment in which git's editor writes ``text``."""
        (self.root.parent / "message").write_text(text)
        return {"GIT_EDITOR": f"cp '{self.root.parent / 'message'}'"}


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    home, root = tmp_path / "home", tmp_path / "shop"
    home.mkdir()
    root.mkdir()
    kept = {name: value for name, value in clean_environ().items() if not name.startswith(("GATE_", "XDG_", "CI"))}
    identity = {f"GIT_{role}_{part}": "a@b.c" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    path = f"{TOOLS}:/usr/local/bin:/usr/bin:/bin"
    found = Shop(root, {**kept, **identity, "HOME": str(home), "PATH": path, "GIT_CONFIG_NOSYSTEM": "1"})
    found.git("init", "-q", "-b", "main")
    for name, text in {
        "config/adapter-plan.json": PLAN,
        "config/verification.profiles.json": PROFILES,
        ".gitignore": ".artifacts/\n",
        "test_shop.py": TEST,
        "test_other.py": OTHER,
        "notes.txt": "one\n",
    }.items():
        found.write(name, text)
    found.git("add", "--all")
    found.git("commit", "-q", "-m", "begin")
    found.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    found.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    found.git("push", "-q", "origin", "main")
    found.run("gate", "install")
    return found


@pytest.mark.release
def test_a_commit_of_everything(shop: Shop) -> None:
    shop.write("test_shop.py", SKIPPED)
    line = shop.refuse("commit", "-a", "-m", "Skip")
    assert shop.subject() == "begin"
    shop.refuse("commit", "-a", "-m", f"Skip\n\n> {line}")
    shop.refuse("commit", "-a", "-m", f"Skip\n\n{line.replace(REASON, '…')}")
    said = shop.git("commit", "-a", "-m", "Skip", "-m", line)
    assert "PASS  weakening: 1 disclosed" in said
    assert REASON in said
    assert "PASS  weakening: 1 disclosed" in shop.run("gate", "show", "implicit")
    assert shop.run("gate", "replay", "implicit")
    shop.git("push", "-q", "origin", "main")


def test_an_honest_commit_is_judged_once(shop: Shop) -> None:
    shop.write("notes.txt", "two\n")
    said = shop.git("commit", "-a", "-m", "Notes")
    assert said.count("PASS") == 1
    assert "verigate:" not in said


@pytest.mark.release
def test_a_message_that_is_changed_again_is_compared_once(shop: Shop) -> None:
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-n", "-a", "-m", "Notes")
    shop.git("commit", "--amend", "-m", "Other notes")
    entries = list((shop.root.parent / "home/.cache/verigate/indexes").glob("*/*"))
    assert len(entries) == 1
    before = entries[0].stat().st_mtime_ns
    shop.git("commit", "--amend", "-m", "Better notes")
    assert entries[0].stat().st_mtime_ns == before
    shop.skip()
    # What a message accounts for is looked at for every message.
    shop.refuse("commit", "--amend", "-m", "Skip it")


@pytest.mark.release
def test_a_message_that_is_written_in_an_editor(shop: Shop) -> None:
    shop.write("test_shop.py", SKIPPED)
    line = shop.refuse("commit", "-a", **shop.edit("Skip\n# a comment\n"))
    commented = "Skip\n\n# ------------------------ >8 ------------------------\n"
    shop.refuse("commit", "-a", "--verbose", **shop.edit(f"{commented}{line}\n"))
    shop.git("commit", "-a", **shop.edit(f"Skip\n\n# a comment\n{line}\n"))
    assert shop.git("log", "-1", "--format=%b").strip() == line


@pytest.mark.release
def test_a_commit_of_paths(shop: Shop) -> None:
    shop.write("test_shop.py", SKIPPED)
    shop.write("notes.txt", "two\n")
    shop.git("add", "test_shop.py")
    shop.git("commit", "-m", "Notes", "notes.txt")
    assert shop.subject() == "Notes"
    line = shop.refuse("commit", "-m", "Skip", "test_shop.py")
    shop.git("commit", "-m", "Skip", "-m", line, "test_shop.py")


@pytest.mark.release
def test_another_message_of_the_last_commit(shop: Shop) -> None:
    line = shop.skip()
    assert shop.refuse("commit", "--amend", "-m", "Skip it") == line
    assert shop.subject() == "Skip"
    shop.git("commit", "--amend", "-m", "Skip it", "-m", line)
    shop.git("commit", "--amend", "--no-edit", "--author=B <b@b.c>")
    shop.write("notes.txt", "two\n")
    # The line that stood in the message is gone, whatever else is staged.
    assert shop.refuse("commit", "-a", "--amend", "-m", "Skip and note") == line
    shop.git("config", "alias.again", "commit --amend")
    assert shop.refuse("again", "-a", "-m", "Skip and note") == line
    shop.git("commit", "-a", "--amend", "--no-edit")
    assert shop.subject() == "Skip it"
    shop.write("notes.txt", "three\n")
    shop.git("commit", "-a", "-m", "Notes")


@pytest.mark.release
def test_a_first_commit_and_its_amendment(shop: Shop) -> None:
    shop.git("checkout", "-q", "--orphan", "fresh")
    shop.write("notes.txt", "fresh\n")
    # It brings the policy, which somebody has to review.
    shop.git("commit", "-a", "-m", "Fresh", code=1)
    shop.git("commit", "-a", "-m", "Fresh", "--no-verify")
    shop.git("commit", "--amend", "-m", "Fresher")
    assert shop.subject() == "Fresher"


@pytest.mark.release
def test_another_message_of_what_a_shallow_clone_begins_with(shop: Shop, tmp_path: Path) -> None:
    shop.skip()
    shop.git("clone", "-q", "--depth=1", f"file://{shop.root}", str(tmp_path / "shallow"))
    clone = Shop(tmp_path / "shallow", shop.environ)
    clone.run("gate", "install")
    assert "shallow clone" in clone.git("commit", "--amend", "-m", "Skip it", code=1)


@pytest.mark.release
def test_a_weakening_that_is_amended_into_a_commit(shop: Shop) -> None:
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-a", "-m", "Notes")
    shop.write("test_shop.py", SKIPPED)
    line = shop.refuse("commit", "-a", "--amend", "--no-edit")
    shop.git("commit", "-a", "--amend", "-m", "Notes", "-m", line)
    # What the commit weakens as a whole has other ids now, and those of the push.
    shop.write("test_shop.py", SKIPPED.replace("== 1.1", "> 0"))
    said = shop.git("commit", "-a", "--amend", "-m", "Notes", "-m", line, code=1)
    others = [found.strip().replace("…", REASON) for found in re.findall(r"^ +Weakens: .*", said, re.MULTILINE)]
    assert line not in others
    shop.git("commit", "-a", "--amend", "-m", "Notes", "-m", "\n".join(others))
    shop.git("push", "-q", "origin", "main")


@pytest.mark.release
def test_a_commit_that_is_reworded(shop: Shop) -> None:
    line = shop.skip()
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-a", "-m", "Notes")
    reword = {"GIT_SEQUENCE_EDITOR": "sed -i '1s/pick/reword/'"}
    found = shop.refuse("rebase", "-i", "HEAD~2", **reword, **shop.edit("Skip it\n"))
    assert found == line
    shop.git("rebase", "--abort")
    shop.git("rebase", "-i", "HEAD~2", **reword, **shop.edit(f"Skip it\n\n{line}\n"))
    assert shop.git("log", "-2", "--format=%s").split() == ["Notes", "Skip", "it"]
    shop.git("rebase", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i '2s/pick/reword/'", **shop.edit("More notes\n"))
    assert shop.subject() == "More notes"


@pytest.mark.release
def test_commits_that_are_folded_together(shop: Shop) -> None:
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-a", "-m", "Notes")
    shop.write("test_shop.py", SKIPPED)
    line = shop.refuse("commit", "-a", "--fixup=HEAD")
    shop.git("commit", "-a", "--fixup=HEAD", "-m", line)
    folded = {"GIT_SEQUENCE_EDITOR": "true", "GIT_EDITOR": "true"}
    shop.git("rebase", "-q", "-i", "--autosquash", "HEAD~2", **folded)
    # git drops the message of a fixup, with its line.
    assert shop.git("log", "-1", "--format=%B").strip() == "Notes"
    assert shop.refuse("push", "origin", "main") == line
    shop.git("commit", "--amend", "-m", "Notes", "-m", line)
    shop.git("push", "-q", "origin", "main")


@pytest.mark.release
def test_a_squash_keeps_the_line(shop: Shop) -> None:
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-a", "-m", "Notes")
    shop.write("test_shop.py", SKIPPED)
    line = shop.refuse("commit", "-a", "--squash=HEAD", "-m", "and skip")
    shop.git("commit", "-a", "--squash=HEAD", "-m", f"and skip\n\n{line}")
    shop.git("rebase", "-q", "-i", "--autosquash", "HEAD~2", GIT_SEQUENCE_EDITOR="true", GIT_EDITOR="true")
    assert line in shop.git("log", "-1", "--format=%B")
    shop.git("push", "-q", "origin", "main")


def branches(shop: Shop) -> str:
    """A branch ``side`` that skips a test and says so, while main changes something else; return the line."""
    shop.git("checkout", "-q", "-b", "side")
    line = shop.skip()
    shop.git("checkout", "-q", "main")
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-a", "-m", "Notes")
    return line


@pytest.mark.release
def test_a_merge_without_a_conflict(shop: Shop) -> None:
    branches(shop)
    shop.git("merge", "--no-edit", "side")
    assert shop.subject() == "Merge branch 'side'"
    shop.git("commit", "--amend", "-m", "Merge it")
    assert shop.subject() == "Merge it"
    # The line stands in the history that is pushed.
    shop.git("push", "-q", "origin", "main")


@pytest.mark.release
def test_a_merge_that_weakens_by_itself(shop: Shop) -> None:
    branches(shop)
    shop.git("merge", "-q", "--no-commit", "side")
    shop.write("test_other.py", OTHER_SKIPPED)
    shop.git("add", "test_other.py")
    line = shop.refuse("commit", "-m", "Merge")
    assert "test_other.py" in line
    shop.git("commit", "-m", "Merge", "-m", line)
    assert shop.refuse("commit", "--amend", "-m", "Merge it") == line
    assert shop.subject() == "Merge"


@pytest.mark.release
def test_a_merge_with_a_conflict(shop: Shop) -> None:
    branches(shop)
    shop.write("test_shop.py", TEST.replace("[2, 3]) == 5", "[2, 4]) == 6"))
    shop.git("commit", "-a", "-m", "Another sum", "--no-verify")
    shop.git("checkout", "-q", "side")
    shop.write("test_shop.py", SKIPPED.replace("[2, 3]) == 5", "[3, 3]) == 6"))
    shop.git("commit", "-a", "-m", "Another sum", "--no-verify")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "side", code=1)
    # Skipped on one side already, so the merge weakens nothing; the other test is as on the other side.
    resolved = SKIPPED.replace("[2, 3]) == 5", "[2, 4]) == 6")
    shop.write("test_shop.py", resolved)
    shop.git("add", "test_shop.py")
    shop.git("commit", "--no-edit")
    shop.git("reset", "-q", "--hard", "HEAD~1")
    shop.git("merge", "side", code=1)
    shop.write("test_shop.py", resolved.replace("def test_total", "@pytest.mark.skip\ndef test_total"))
    shop.git("add", "test_shop.py")
    line = shop.refuse("commit", "--no-edit")
    assert "test_total" in line
    shop.git("commit", "-m", "Merge", "-m", line)


@pytest.mark.release
def test_a_merge_that_is_squashed(shop: Shop) -> None:
    line = branches(shop)
    shop.git("merge", "-q", "--squash", "side")
    # What git writes there is indented: the branch said it, this commit doesn't.
    shop.refuse("commit", "--no-edit")
    shop.git("commit", "-m", "Side", "-m", line)


@pytest.mark.release
def test_a_commit_that_is_picked(shop: Shop) -> None:
    line = branches(shop)
    shop.git("cherry-pick", "-n", "side")
    assert shop.refuse("commit", "-m", "Picked") == line
    shop.git("reset", "-q", "--hard")
    shop.git("cherry-pick", "side")
    assert line in shop.git("log", "-1", "--format=%B")
    shop.git("push", "-q", "origin", "main")


@pytest.mark.release
def test_a_commit_that_is_picked_with_a_conflict(shop: Shop) -> None:
    shop.git("checkout", "-q", "-b", "side")
    shop.write("notes.txt", "side\n")
    line = shop.skip()
    shop.git("checkout", "-q", "main")
    shop.write("notes.txt", "two\n")
    shop.git("commit", "-a", "-m", "Notes")
    shop.git("cherry-pick", "side", code=1)
    shop.write("notes.txt", "both\n")
    shop.git("add", "notes.txt")
    assert shop.refuse("commit", "-m", "Picked") == line
    # What git proposes has the line.
    shop.git("cherry-pick", "--continue", GIT_EDITOR="true")
    assert line in shop.git("log", "-1", "--format=%B")


@pytest.mark.release
def test_a_commit_that_is_reverted(shop: Shop) -> None:
    shop.write("test_shop.py", TEST + "\n\ndef test_more():\n    assert len('ab') == 2\n")
    shop.git("commit", "-a", "-m", "More")
    shop.git("push", "-q", "origin", "main")
    # git asks no hook about a revert without a conflict: the push decides.
    shop.git("revert", "--no-edit", "HEAD")
    line = shop.refuse("push", "origin", "main")
    assert "test_more" in line
    shop.git("reset", "-q", "--hard", "HEAD~1")
    shop.git("revert", "--no-commit", "HEAD")
    assert shop.refuse("commit", "-m", "Revert") == line
    shop.git("commit", "-m", "Revert", "-m", line)
    shop.git("push", "-q", "origin", "main")


@pytest.mark.release
def test_without_hooks_the_push_decides(shop: Shop) -> None:
    shop.write("test_shop.py", SKIPPED)
    shop.git("commit", "-n", "-a", "-m", "Skip")
    line = shop.refuse("push", "origin", "main")
    shop.git("commit", "-n", "--amend", "-m", "Skip", "-m", line)
    assert "PASS  weakening: 1 disclosed" in shop.git("push", "origin", "main")


@pytest.mark.release
def test_a_hook_that_changes_the_files_after_the_gate_s(shop: Shop) -> None:
    hook = shop.root / ".git/hooks/pre-commit"
    hook.rename(hook.with_name("pre-commit.gate"))
    formats = "grep -q skip test_other.py || sed -i 's/^def test_round/@pytest.mark.skip\\n&/' test_other.py"
    shop.write(".git/hooks/pre-commit", f'#!/bin/sh\n"$0.gate" || exit\n{formats}\ngit add test_other.py\n', 0o755)
    shop.write("notes.txt", "two\n")
    line = shop.refuse("commit", "-a", "-m", "Notes")
    assert "test_other.py" in line
    shop.git("commit", "-a", "-m", "Notes", "-m", line)


@pytest.mark.release
def test_without_anything_remembered_it_verifies_itself(shop: Shop) -> None:
    (shop.root / ".git/hooks/pre-commit").unlink()
    shop.write("test_shop.py", SKIPPED)
    # No folder of the user's can be made there.
    line = shop.refuse("commit", "-a", "-m", "Skip", HOME=str(shop.root / "notes.txt"))
    assert shop.refuse("commit", "-a", "-m", "Skip") == line
    shop.git("commit", "-a", "-m", "Skip", "-m", line)


@pytest.mark.release
def test_what_can_t_be_disclosed_is_not_left_to_the_message(shop: Shop) -> None:
    shop.write("conftest.py", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n")
    shop.write("test_shop.py", SKIPPED)
    shop.git("add", "--all")
    said = shop.git("commit", "-m", "Hook", code=1)
    assert "left to the commit message" not in said
    assert "which nothing accounts for" in said
    # Nor does a commit that pre-commit didn't see pass by it.
    (shop.root / ".git/hooks/pre-commit").unlink()
    line = shop.refuse("commit", "-m", "Hook")
    shop.git("commit", "-m", "Hook", "-m", line, code=1)


@pytest.mark.release
def test_an_advisory_hook_reports_and_lets_pass(shop: Shop) -> None:
    shop.run("gate", "install", "--advisory")
    shop.write("test_shop.py", SKIPPED)
    said = shop.git("commit", "-a", "-m", "Skip")
    assert "Weakens: test_skipped" in said
    assert shop.subject() == "Skip"


# --- whether the message is read ------------------------------------------------------------------------------------


def lacking(shop: Shop, **environ: str) -> str:
    """What pre-commit says of a message that nobody would read."""
    shop.write("test_shop.py", SKIPPED)
    said = shop.git("commit", "-a", "-m", "Skip", code=1, **environ)
    assert "left to the commit message" not in said
    assert "the message of a commit can disclose this, but" in said
    assert "FAIL  implicit" in said
    return said


@pytest.mark.release
def test_without_the_hook_nothing_is_left_to_it(shop: Shop) -> None:
    (shop.root / ".git/hooks/commit-msg").unlink()
    said = lacking(shop)
    assert "there is no hook commit-msg: run `gate install`" in said
    shop.run("gate", "install", "--hook", "commit-msg")
    shop.skip()


HOOKS = {
    "another's": ("#!/bin/sh\nexit 0\n", 0o755, "doesn't call the gate"),
    "an earlier version's": ("old", 0o755, "that of another version"),
    "one without its bit": ("own", 0o644, "isn't executable"),
    "an advisory one": ("advisory", 0o755, "is advisory"),
    "an edited one": ("edited", 0o755, "was edited"),
}


@pytest.mark.release
@pytest.mark.parametrize("case", some_always(HOOKS, str))
def test_a_hook_that_would_not_ask_the_gate(case: str, shop: Shop) -> None:
    text, mode, why = HOOKS[case]
    place = shop.root / ".git/hooks/commit-msg"
    own = place.read_text()
    if text == "advisory":
        shop.run("gate", "install", "--hook", "commit-msg", "--advisory")
        own = place.read_text()
    elif text == "edited":
        own += "# mine\n"
    elif text == "old":
        from hashlib import sha256

        body = own.partition("\n")[2].partition("\n")[2].replace("run_gate git-hook", "[ -z x ] || run_gate git-hook")
        own = f"#!/bin/sh\n# verigate-hook v1 commit-msg sha256:{sha256(body.encode()).hexdigest()}\n{body}"
    elif text != "own":
        own = text
    shop.write(".git/hooks/commit-msg", own, mode)
    assert why in lacking(shop)


@pytest.mark.release
def test_a_folder_of_hooks_without_it(shop: Shop) -> None:
    shop.git("config", "core.hooksPath", "tools/hooks")
    shop.run("gate", "install", "--hook", "pre-commit")
    assert "there is no hook commit-msg" in lacking(shop)
    shop.run("gate", "install", "--hook", "commit-msg")
    shop.skip()


@pytest.mark.release
@pytest.mark.parametrize(("after", "stops"), [("|| exit", True), ("; echo done", False)])
def test_the_doctor_shows_whether_the_hook_stops_a_commit(after: str, stops: bool, shop: Shop) -> None:
    installed = read_installed(shop.root, "commit-msg", environ=shop.environ)
    assert installed is not None
    probe = probe_hook(shop.root, "commit-msg", installed, shop.environ)
    assert (probe.honest_passed, probe.lie_stopped) == (True, True), probe.output
    script = f'#!/bin/sh\ngate git-hook commit-msg "$1" {after}\necho "the team\'s own"\n'
    # What does more than call the gate isn't run for the doctor.
    shop.write(".git/hooks/commit-msg", script, 0o755)
    found = read_installed(shop.root, "commit-msg", environ=shop.environ)
    if not stops:
        assert found is None
        return
    assert found is not None
    probe = probe_hook(shop.root, "commit-msg", found, shop.environ)
    assert (probe.honest_passed, probe.lie_stopped) == (True, True), probe.output


@pytest.mark.release
def test_the_doctor_shows_a_script_that_goes_on(shop: Shop) -> None:
    shop.write(".git/hooks/commit-msg", '#!/bin/sh\ngate git-hook commit-msg "$1"\necho "the team\'s own"\n', 0o755)
    installed = read_installed(shop.root, "commit-msg", environ=shop.environ)
    assert installed is not None
    probe = probe_hook(shop.root, "commit-msg", installed, shop.environ)
    assert (probe.honest_passed, probe.lie_stopped) == (True, False), probe.output


LOCAL = """
repos:
  - repo: local
    hooks:
      - id: gate
        name: gate
        entry: gate git-hook pre-commit
        language: system
        pass_filenames: false
        always_run: true
        stages: [pre-commit]
"""
LOCAL_MESSAGE = """
      - id: gate-message
        name: gate
        entry: gate git-hook commit-msg
        language: system
        stages: [commit-msg]
"""
LEFTHOOK = "{hook}:\n  jobs:\n    - run: gate git-hook {hook}{words}\n"


def manage(shop: Shop, manager: str, *, message: bool) -> None:
    """Let a manager call the gate, with or without the hook commit-msg."""
    for hook in ("pre-commit", "commit-msg", "pre-push"):
        (shop.root / ".git/hooks" / hook).unlink(missing_ok=True)
    if manager == "husky":
        shop.run(hook_manager("husky"))
        shop.write(".husky/pre-commit", "gate git-hook pre-commit\n")
        if message:
            shop.write(".husky/commit-msg", 'gate git-hook commit-msg "$1"\n')
    elif manager == "lefthook":
        shop.write(
            "lefthook.yml",
            LEFTHOOK.format(hook="pre-commit", words="")
            + (LEFTHOOK.format(hook="commit-msg", words=' "{1}"') if message else ""),
        )
        shop.run(hook_manager("lefthook"), "install", "--force")
    else:
        shop.write(".pre-commit-config.yaml", LOCAL + (LOCAL_MESSAGE if message else ""))
        shop.run(TOOLS / manager, "install", "-t", "pre-commit", "-t", "commit-msg")
    shop.git("add", "--all")
    shop.git("commit", "-q", "--no-verify", "-m", "A manager of hooks")


@pytest.mark.release
@pytest.mark.parametrize(
    "manager", ["pre-commit", pytest.param("prek", marks=pytest.mark.release), "husky", "lefthook"]
)
def test_a_manager_that_runs_the_gate_on_the_message(manager: str, shop: Shop) -> None:
    node = str(Path(shutil.which("node") or "node").resolve().parent)
    shop.environ["PATH"] = f"{node}:{hook_manager('lefthook').parent}:{shop.environ['PATH']}"
    manage(shop, manager, message=False)
    assert "commit-msg" in lacking(shop)
    shop.git("checkout", "-q", "test_shop.py")
    manage(shop, manager, message=True)
    shop.skip()


@pytest.mark.release
def test_reports_are_written_whatever_is_left_to_the_message(shop: Shop) -> None:
    shop.write("test_shop.py", SKIPPED)
    shop.git("add", "test_shop.py")
    done = shop.run("gate", "verify", "--staged", "--message-follows", "--quiet", "--format", "json=../verdict.json")
    assert "left to the commit message" in done
    assert json.loads((shop.root.parent / "verdict.json").read_bytes())["status"] == "fail"
    shop.write("../message", "Skip\n")
    assert "Weakens:" in shop.run("gate", "verify", "--staged", "--message", "../message", "--quiet", code=1)


@pytest.mark.release
def test_a_manager_that_says_so_is_believed(shop: Shop) -> None:
    (shop.root / ".git/hooks/commit-msg").unlink()
    shop.write(".git/hooks/pre-commit", "#!/bin/sh\nexec gate git-hook pre-commit --message-follows\n", 0o755)
    shop.write("test_shop.py", SKIPPED)
    assert "left to the commit message" in shop.git("commit", "-a", "-m", "Skip")
    assert os.fspath(shop.root) not in shop.git("log", "-1", "--format=%B")
