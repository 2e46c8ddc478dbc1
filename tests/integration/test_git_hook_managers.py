"""The real gate as git's own hook, and with husky and lefthook: installed twice, a lie blocked, the truth passed.

What is not staged keeps its bytes, and so do the hooks and the configuration of others. pre-commit and prek, which
install the gate from this repository: test_git_hooks_framework.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from npm_tools import hook_manager
from sample_repository import contents

from verigate.doctor.hook_probe import probe_hook
from verigate.integrations.git.hook_states import HookState, read_installed, read_status
from verigate.integrations.launchers import HOOKS

TOOLS = Path(sys.executable).parent
POLICY = {
    "config/adapter-plan.json": {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}},
    "config/verification.profiles.json": {"code_default": {"required_artifacts": ["diff.json"]}},
}
ALL = [word for hook in HOOKS for word in ("--hook", hook)]
FOREIGN = '#!/bin/sh\n# not the gate\'s\necho ran >>"$HOME/foreign"\n'
LEFTHOOK = """\
# The team's own: keep it.
colors: false   # no colours in CI
post-checkout:
  commands:
    note: {run: echo checked out}
"""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Shop:
    """A repository with a small policy, work that isn't staged, and a remote."""

    root: Path
    environ: dict[str, str]

    def run(self, *argv: str | Path, code: int = 0, **environ: str) -> str:
        done = subprocess.run(
            argv, cwd=self.root, env={**self.environ, **environ}, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"{argv}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def write(self, name: str, content: object, mode: int = 0o644) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        path.chmod(mode)
        return path

    def task(self, task_id: str, unit: str) -> None:
        """Begin a task and claim ``unit``, as `gate start` and `gate claim` do."""
        self.write(f".artifacts/{task_id}/commitment.json", {"task_id": task_id, "type": "code"})
        claim = {"task_id": task_id, "claim": {"type": "code", "units_list": [unit]}}
        self.write(f".artifacts/{task_id}/claim.json", claim)
        self.write(".artifacts/current", task_id)

    def land(self, name: str) -> None:
        """Commit and push a change of the judges' own files, which the gate refutes, past the hooks."""
        self.run("git", "add", name)
        self.run("git", "commit", "-q", "--no-verify", "-m", "Looked at by somebody")
        self.run("git", "push", "-q", "--no-verify", "origin", "main")

    def head(self) -> str:
        return self.run("git", "rev-parse", "HEAD").strip()

    def subject(self, task_id: str) -> str:
        """What the task's last verdict was about."""
        return str(json.loads((self.root / ".artifacts" / task_id / "verdict.json").read_bytes())["subject"]["kind"])

    def foreign_runs(self) -> int:
        path = Path(self.environ["HOME"]) / "foreign"
        return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    home, root = tmp_path / "home", tmp_path / "the shop"
    home.mkdir()
    root.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GATE_", "LEFTHOOK"))}
    node = str(Path(shutil.which("node") or "node").resolve().parent)
    identity = {f"GIT_{role}_{part}": "a@b.c" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    path = f"{TOOLS}:{node}:/usr/local/bin:/usr/bin:/bin"
    made = Shop(root, {**kept, **identity, "HOME": str(home), "PATH": path, "GIT_CONFIG_NOSYSTEM": "1"})
    made.run("git", "init", "-q", "-b", "main")
    for name, document in POLICY.items():
        made.write(name, document)
    made.write(".gitignore", ".artifacts/\n")
    made.write("notes.txt", "notes\n")
    made.write(".husky/pre-commit", FOREIGN)
    made.write("lefthook.yml", LEFTHOOK)
    return made


def begin(shop: Shop, *without: str) -> None:
    """The first commit, without what belongs to other managers; pushed. Then there is work that isn't staged."""
    for name in without:
        (shop.root / name).unlink()
    shop.run("git", "add", "--all")
    shop.run("git", "commit", "-q", "-m", "begin", "--no-verify")
    remote = shop.root.parent / "remote.git"
    shop.run("git", "init", "-q", "--bare", remote)
    shop.run("git", "remote", "add", "origin", remote)
    shop.run("git", "push", "-q", "--no-verify", "origin", "main")
    shop.write("notes.txt", "notes\nnot staged\n")
    shop.write("never added.txt", "not\0tracked")


def assert_shown(shop: Shop) -> None:
    """The doctor's planted lie is stopped by what git runs here, and its honest commit isn't."""
    for hook in ("pre-commit", "pre-merge-commit", "pre-applypatch"):
        installed = read_installed(shop.root, hook, environ=shop.environ)
        assert installed is not None
        sent = probe_hook(shop.root, hook, installed, shop.environ)
        assert (sent.honest_passed, sent.lie_stopped) == (True, True), sent.output


def assert_gated(shop: Shop) -> None:
    """The truth passes, a lie is blocked, at the commit and at the push; nothing but the commit changes."""
    shop.task("honest", "file:one.txt")
    shop.write("one.txt", "one\n")
    shop.run("git", "add", "one.txt")
    before = contents(shop.root, without=(".git", ".artifacts"))
    shop.run("git", "commit", "-m", "One")
    message = shop.run("git", "log", "-1", "--format=%B")
    assert message.strip() == "One\n\nGate-Task: honest"
    assert shop.subject("honest") == "commit"
    shop.run("git", "push", "-q", "origin", "main")

    shop.task("lie", "file:never.txt")
    shop.write("two.txt", "two\n")
    shop.run("git", "add", "two.txt")
    before["two.txt"] = contents(shop.root)["two.txt"]
    head = shop.head()
    said = shop.run("git", "commit", "-m", "Two", code=1)
    assert "file:never.txt" in said
    assert shop.head() == head
    assert contents(shop.root, without=(".git", ".artifacts")) == before
    assert shop.run("git", "diff", "--cached", "--name-only") == "two.txt\n"

    # A hook manager can run what comes after a commit that skipped what comes before it.
    assert "the commit stands, but it is not verified" in shop.run("git", "commit", "-m", "Two", "--no-verify")
    shop.run("git", "push", "origin", "main", code=1)
    assert shop.run("git", "ls-remote", "origin", "main").split()[0] == head
    assert contents(shop.root, without=(".git", ".artifacts")) == before
    shop.run("git", "reset", "-q", "--soft", "HEAD~1")


def test_as_git_s_own_hooks(shop: Shop) -> None:
    begin(shop, "lefthook.yml", ".husky/pre-commit")
    hooks = shop.root / ".git/hooks"
    shop.write(".git/hooks/pre-commit", FOREIGN, 0o755)
    shop.write(".git/hooks/commit-msg", FOREIGN, 0o700)
    before = contents(hooks)
    shop.run("gate", "install", *ALL)
    installed = contents(hooks)
    assert shop.run("gate", "install", *ALL).count("unchanged") == len(HOOKS)
    assert contents(hooks) == installed
    assert_gated(shop)
    # The honest commit ran both of them, the lie one.
    assert shop.foreign_runs() == 3
    shop.run("gate", "uninstall")
    assert contents(hooks) == before


@pytest.mark.release
def test_what_git_makes_of_a_message_names_the_task_once_or_not_at_all(shop: Shop) -> None:
    begin(shop, ".husky/pre-commit", "lefthook.yml")
    shop.run("git", "checkout", "-q", "notes.txt")
    shop.run("gate", "install", "--hook", "commit-msg")

    def commits(*options: str, code: int = 0, **environ: str) -> str:
        shop.run("git", "commit", "-q", "--allow-empty", *options, code=code, **environ)
        return shop.run("git", "log", "-1", "--format=%B").strip()

    for name in ("T1", "T2"):
        shop.write(f".artifacts/{name}/commitment.json", {"task_id": name, "type": "code"})
    assert commits("-m", "One") == "One"
    shop.write(".artifacts/current", "T1\n")
    assert commits("-m", "Two") == "Two\n\nGate-Task: T1"
    assert commits("--amend", "--no-edit") == "Two\n\nGate-Task: T1"
    # An editor: nothing written, a template as it was, and text above comments and a diff.
    before = shop.head()
    commits("--verbose", code=1, GIT_EDITOR="true")
    shop.write(".git/template", "Why:\n")
    shop.run("git", "config", "commit.template", ".git/template")
    commits(code=1, GIT_EDITOR="true")
    shop.run("git", "config", "--unset", "commit.template")
    assert shop.head() == before
    shop.write("staged.txt", "staged\n")
    shop.run("git", "add", "staged.txt")
    assert commits("--verbose", GIT_EDITOR="sed -i 1s/^/Three/") == "Three\n\nGate-Task: T1"

    shop.write(".artifacts/current", "T2\n")
    shop.write("staged.txt", "mended\n")
    assert commits("--all", "--fixup=HEAD") == "fixup! Three"
    shop.run("git", "rebase", "-q", "--interactive", "--autosquash", "HEAD~2", GIT_SEQUENCE_EDITOR="true")
    assert shop.run("git", "log", "-1", "--format=%B").strip() == "Three\n\nGate-Task: T1"

    shop.run("git", "checkout", "-q", "-b", "side", "HEAD~1")
    assert commits("-m", "Side") == "Side\n\nGate-Task: T2"
    shop.run("git", "checkout", "-q", "main")
    shop.run("git", "merge", "-q", "--no-ff", "--no-edit", "side")
    assert shop.run("git", "log", "-1", "--format=%B").strip() == "Merge branch 'side'"
    shop.run("git", "reset", "-q", "--hard", "HEAD~1")
    shop.write("side.txt", "side\n")
    shop.run("git", "merge", "-q", "--squash", "side")
    squashed = commits("--no-edit")
    assert squashed.startswith("Squashed commit of the following:")
    assert squashed.endswith("    Gate-Task: T2\n\nGate-Task: T2")
    assert shop.run("git", "log", "-1", "--format=%(trailers:key=Gate-Task,valueonly)").strip() == "T2"
    shop.write(".artifacts/current", "../T3\n")
    commits("-m", "Four", code=1)


@pytest.mark.release
def test_with_husky(shop: Shop) -> None:
    begin(shop, "lefthook.yml")
    husky = hook_manager("husky")
    shop.run(husky)
    before = contents(shop.root / ".husky")
    assert "work tree" in shop.run("gate", "install", *ALL)
    assert shop.run("gate", "install", *ALL).count("unchanged") == len(HOOKS)
    shop.run(husky)
    shop.land(".husky")
    assert_gated(shop)
    assert_shown(shop)
    assert shop.foreign_runs() == 2
    shop.run("gate", "uninstall")
    assert contents(shop.root / ".husky") == before


CALLS = {
    "husky's file": (True, "gate git-hook pre-commit\nnpm run lint\n", True),
    "a script that stops at the call": (False, "#!/bin/sh\nset -e\ngate git-hook pre-commit\nnpm run lint\n", True),
    "a script that goes on": (False, "#!/bin/sh\ngate git-hook pre-commit\nnpm run lint\n", False),
}


@pytest.mark.release
@pytest.mark.parametrize("case", CALLS)
def test_a_script_that_calls_the_gate_is_left_alone_and_shown_to_block_or_not(case: str, shop: Shop) -> None:
    husky, text, blocks = CALLS[case]
    begin(shop, "lefthook.yml", ".husky/pre-commit")
    if husky:
        shop.run(hook_manager("husky"))
    place = shop.write(".husky/pre-commit" if husky else ".git/hooks/pre-commit", text, 0o644 if husky else 0o755)
    assert "calls the gate" in shop.run("gate", "install", "--hook", "pre-commit")
    assert "by hand" in shop.run("gate", "uninstall", "--hook", "pre-commit")
    assert place.read_text() == text
    installed = read_installed(shop.root, "pre-commit", environ=shop.environ)
    assert installed is not None
    sent = probe_hook(shop.root, "pre-commit", installed, shop.environ)
    assert (sent.honest_passed, sent.lie_stopped) == (True, blocks), sent.output


@pytest.mark.release
def test_with_lefthook(shop: Shop) -> None:
    begin(shop, ".husky/pre-commit")
    # Its hooks call it twice; without npm's launcher that is a tenth of the time.
    (program,) = hook_manager("lefthook").parents[1].glob("lefthook-*/bin/lefthook")
    shop.environ["PATH"] = f"{program.parent}:{shop.environ['PATH']}"
    shop.write(".git/hooks/pre-commit", FOREIGN, 0o755)
    first = contents(shop.root / ".git/hooks")
    shop.run("lefthook", "install")
    before, configured = contents(shop.root / ".git/hooks"), (shop.root / "lefthook.yml").read_bytes()

    # Nothing is written where lefthook would set it aside; what to write instead is printed.
    said = shop.run("gate", "install", *ALL, code=2)
    assert (contents(shop.root / ".git/hooks"), (shop.root / "lefthook.yml").read_bytes()) == (before, configured)
    wanted = said.partition("run `lefthook install`:\n\n")[2]
    assert json.loads(shop.run("gate", "install", *ALL, "--json", code=2))["write"] == wanted.rstrip("\n") + "\n"
    shop.write("lefthook.yml", LEFTHOOK + wanted)
    shop.run("lefthook", "validate")
    assert "run `lefthook install`" in shop.run("gate", "install", *ALL, code=2)
    shop.run("lefthook", "install")
    shop.land("lefthook.yml")
    installed = contents(shop.root / ".git/hooks")
    assert shop.run("gate", "install", *ALL).count("lefthook runs it: lefthook.yml") == len(HOOKS)
    assert_gated(shop)
    assert {item.state for item in read_status(shop.root, environ=shop.environ)} == {HookState.MANAGED}
    assert_shown(shop)

    assert shop.run("gate", "uninstall").count("remove the gate from lefthook.yml by hand") == len(HOOKS)
    assert contents(shop.root / ".git/hooks") == installed
    shop.write("lefthook.yml", LEFTHOOK)
    shop.run("lefthook", "uninstall")
    assert contents(shop.root / ".git/hooks") == first


def test_a_hook_that_lefthook_set_aside_is_taken_away(shop: Shop) -> None:
    begin(shop, ".husky/pre-commit", "lefthook.yml")
    lefthook = hook_manager("lefthook")
    shop.write(".git/hooks/pre-commit", FOREIGN, 0o755)
    shop.run("gate", "install", "--hook", "pre-commit")
    shop.write("lefthook.yml", "pre-commit: {jobs: [{run: echo theirs}]}\n")
    shop.run(lefthook, "install")
    set_aside = shop.root / ".git/hooks/pre-commit.old"
    assert b"verigate-hook" in set_aside.read_bytes()
    assert "by hand" in shop.run("gate", "install", "--hook", "pre-commit", code=2)
    shop.run("gate", "uninstall", "--hook", "pre-commit")
    assert set_aside.read_text() == FOREIGN
    assert not (shop.root / ".git/hooks/pre-commit.before-verigate").exists()
