"""The real gate in the hooks that pre-commit and prek install from this repository; others: test_git_hook_managers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from python_wheels import from_wheels
from sample_repository import contents

from verigate.doctor.hook_probe import probe_hook
from verigate.integrations.git.hook_callers import OFFERED
from verigate.integrations.git.hook_states import HookState, read_installed, read_status
from verigate.integrations.git.hooks import HookAction, install, uninstall
from verigate.integrations.setup.init_files import plan_init_files, write_files
from verigate.integrations.setup.stack import detect_stack

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
WHO = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}

pytestmark = pytest.mark.slow

FOREIGN = """\
# The team's own: keep it.
repos:
  - repo: local
    hooks: # theirs
      - {id: theirs, name: theirs, entry: touch theirs, language: system, pass_filenames: false, always_run: true}
"""
CALC = "def add(a, b):\n    return a + b\n"
TEST = """import unittest

import calc


class TestCalc(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)
"""


def environment(home: Path) -> dict[str, str]:
    left_out = ("GIT_", "PRE_COMMIT", "PREK", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return kept | {
        "HOME": str(home),
        **from_wheels(),
        # uv leaves compiling to the first start, and an adapter can't keep what it compiles: every call would do it.
        "UV_COMPILE_BYTECODE": "1",
        # virtualenv would look for newer versions of pip, in the background and for every new HOME.
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
        "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(Path("~/.cache/uv").expanduser())),
        "PATH": f"{TOOLS}:{os.environ['PATH']}",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        **WHO,
    }


class Project:
    """A small project that uses a hook repository."""

    def __init__(self, root: Path, environ: dict[str, str]) -> None:
        self.root = root
        self.environ = environ
        root.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=self.environ, capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == bool(code), done.stdout + done.stderr
        return done.stdout + done.stderr

    def task(self, task_id: str) -> None:
        """Begin a task and claim calc.py, as `gate start` and `gate claim` do."""
        folder = self.root / ".artifacts" / task_id
        folder.mkdir()
        (folder / "commitment.json").write_text(json.dumps({"task_id": task_id, "type": "code"}))
        claim = {"type": "code", "units_list": ["file:calc.py"]}
        (folder / "claim.json").write_text(json.dumps({"task_id": task_id, "claim": claim}))
        (folder.parent / "current").write_text(task_id)

    def commit(self, message: str, files: dict[str, str], *options: str, code: int = 0) -> str:
        for name, content in files.items():
            (self.root / name).write_text(content)
        self.git("add", "--", *files)
        return self.git("commit", "-q", "-m", message, *options, code=code)


@pytest.fixture(scope="module")
def hook_repository(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A git repository with the files of this checkout as they are now, committed; and the commit."""
    folder = tmp_path_factory.mktemp("hooks") / "verigate"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    environ = environment(folder.parent)
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "as it is now"]):
        subprocess.run(["git", *arguments], cwd=folder, env=environ, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, check=True, text=True)
    return folder, head.stdout.strip()


MORE = CALC + "\n\ndef sub(a, b):\n    return a - b\n"
TESTED = TEST + "\n    def test_sub(self):\n        self.assertEqual(calc.sub(3, 2), 1)\n"
BROKEN = MORE.replace("a - b", "a + b")


def begun(folder: Path, files: dict[str, str]) -> Project:
    """A project with a passing test, the files of `gate init` and a remote that has all of it."""
    home = folder / "home"
    home.mkdir()
    project = Project(folder / "project", environment(home))
    (project.root / "calc.py").write_text(CALC)
    (project.root / "test_calc.py").write_text(TEST)
    (project.root / ".gitignore").write_text("__pycache__/\n")
    write_files(project.root, plan_init_files(project.root, detect_stack(project.root)))
    project.git("add", "-A")
    project.commit("begin", files)
    bare = folder / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], env=project.environ, check=True)
    project.git("remote", "add", "origin", str(bare))
    project.git("push", "-q", "origin", "main")
    return project


def assert_lies_are_stopped(project: Project) -> None:
    project.task("honest")
    assert "PASS  honest" in project.commit("honest", {"calc.py": MORE, "test_calc.py": TESTED})
    assert project.git("log", "-1", "--format=%B").strip() == "honest\n\nGate-Task: honest"
    project.git("push", "origin", "main")
    project.task("lie")
    (project.root / ".gitignore").write_text("not staged\n")
    (project.root / "never added").write_bytes(b"not\0tracked")
    said = project.commit("lying", {"calc.py": BROKEN}, code=1)
    assert "TEST_FAIL" in said
    assert "tests.json /failed = 1" in said
    assert (project.root / ".gitignore").read_text() == "not staged\n"
    assert (project.root / "never added").read_bytes() == b"not\0tracked"
    message = project.commit("lying", {"calc.py": BROKEN}, "--no-verify")
    assert "the commit stands, but it is not verified" in message
    assert "TEST_FAIL" in project.git("push", "origin", "main", code=1)
    assert project.git("ls-remote", "origin", "main").split()[0] == project.git("rev-parse", "HEAD~1").strip()


@pytest.mark.parametrize("runner", [pytest.param("pre-commit", marks=pytest.mark.release), "prek"])
def test_the_hooks_stop_a_commit_and_a_push_that_do_not_hold(
    runner: str, hook_repository: tuple[Path, str], tmp_path: Path
) -> None:
    repository, revision = hook_repository
    offered = re.findall(r"^- id: (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.MULTILINE)
    assert offered == list(OFFERED.values())
    hooks = f"    hooks: [{', '.join(f'{{id: {name}}}' for name in offered)}]\n"
    config = f"{FOREIGN}  - repo: {repository}\n    rev: {revision}\n{hooks}"
    project = begun(tmp_path, {".pre-commit-config.yaml": config})
    folder, config_file = project.root / ".git/hooks", project.root / ".pre-commit-config.yaml"
    earlier = folder / "pre-commit"
    earlier.write_text("#!/bin/sh\n# somebody's\nexit 0\n")
    earlier.chmod(0o700)
    before = contents(folder)
    types = [word for hook in OFFERED for word in ("--hook-type", hook)]

    def call(act: str) -> None:
        subprocess.run(
            [TOOLS / runner, act, *types], cwd=project.root, env=project.environ, check=True, capture_output=True
        )

    call("install")
    there = contents(folder)
    call("install")
    found = install(project.root, [*OFFERED], launcher=["/no/gate"], environ=project.environ)
    assert {change.action for change in found} == {HookAction.UNCHANGED}
    assert contents(folder) == there
    assert_lies_are_stopped(project)
    assert (project.root / "theirs").exists()
    # What doctor sends goes through the runner, in the environment that it has made, and runs nothing else.
    (project.root / "theirs").unlink()
    states = {item.hook: item.state for item in read_status(project.root, environ=project.environ)}
    assert {states.pop(hook) for hook in OFFERED} == {HookState.MANAGED}
    # Neither has hooks for `git am`.
    assert states == {"pre-applypatch": HookState.ABSENT}
    hook = "pre-commit" if runner == "pre-commit" else "pre-push"
    installed = read_installed(project.root, hook, environ=project.environ)
    assert installed is not None
    sent = probe_hook(project.root, hook, installed, project.environ)
    assert (sent.honest_passed, sent.lie_stopped) == (True, True), sent.output
    assert not (project.root / "theirs").exists()

    left = uninstall(project.root, environ=project.environ)
    assert {(change.action, change.note) for change in left if change.hook in OFFERED} == {
        (HookAction.LEFT, "remove the gate from .pre-commit-config.yaml by hand")
    }
    call("uninstall")
    assert contents(folder) == before
    assert config_file.read_text() == config
