"""The runner on a real git repository, with the real workspace: what an adapter finds, and what stays untouched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_workspace import Bench, plan

from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import Capability, SandboxPolicy
from verigate.execution.runner import run_plan
from verigate.subject.workspace import open_workspace

GIT = SandboxPolicy(tools=("git",))
LOOK = """
{
  pwd
  git rev-parse HEAD
  git status --porcelain
  git diff --cached --name-only
  cat new.py
  cat node_modules/dep/index.js
} > "$3/look.txt"
"""


@pytest.fixture(params=["require", "off"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "old.py").write_text("old = 1\n")
    (root / ".gitignore").write_text("node_modules/\n.venv/\n")
    (root / "package.json").write_text("{}\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "base")
    (root / "new.py").write_text("new = 1\n")
    (root / "node_modules" / "dep").mkdir(parents=True)
    (root / "node_modules" / "dep" / "index.js").write_text("dep\n")
    return root


def go(
    bench: Bench, repository: Path, mode: str, *scripts: str, needs: tuple[str, ...] | None = None
) -> list[CapabilityRun]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(bench.root / "user"), "TMPDIR": str(bench.root)}
    entries = []
    for number, script in enumerate(scripts):
        name = f"x:c{number}"
        entries.append((bench.manifest(script, Capability(name, needs=needs), policy=GIT), name))
    with open_workspace(repository, environ=environ) as workspace:
        context = bench.context(mode, environ=environ, jobs=2)
        return list(run_plan(plan(*entries), workspace, bench.staging, context, bench.listener))


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_an_adapter_finds_the_subject_on_its_base_with_its_dependencies(
    tmp_path: Path, repository: Path, mode: str
) -> None:
    bench = Bench(tmp_path / "bench")
    before = tree(repository)
    [record] = go(bench, repository, mode, LOOK)
    assert record.failure is None, bench.log("x:c0")
    where, *rest = bench.artifact("look.txt").splitlines()
    assert rest == [git(repository, "rev-parse", "HEAD"), "A  new.py", "new.py", "new = 1", "dep"]
    assert (where == str(repository)) == (mode == "require")
    assert tree(repository) == before


def test_damage_stays_in_the_checkout_and_is_undone(tmp_path: Path, repository: Path, mode: str) -> None:
    bench = Bench(tmp_path / "bench")
    before = tree(repository)
    damage = 'rm -rf .git/* old.py; echo evil > new.py; echo x > stray.py; echo 1 > "$3/one.txt"'
    first, second = go(bench, repository, mode, damage, LOOK)
    assert first.failure is None
    assert {"new.py", "old.py", "stray.py"} <= set(first.subject_changes)
    assert second.failure is None, bench.log("x:c1")
    assert bench.artifact("look.txt").splitlines()[2:4] == ["A  new.py", "new.py"]
    assert tree(repository) == before


def test_parallel_branches_do_not_see_each_other(tmp_path: Path, repository: Path, mode: str) -> None:
    bench = Bench(tmp_path / "bench")
    script = 'sleep 0.3; echo "$1" >> old.py; sleep 0.5; cat old.py > "$3/${1#*:}.txt"'
    records = go(bench, repository, mode, script, script, needs=())
    assert [record.failure for record in records] == [None, None]
    assert bench.artifact("c0.txt") == "old = 1\nx:c0\n"
    assert bench.artifact("c1.txt") == "old = 1\nx:c1\n"


def test_an_editable_install_sees_the_subject_in_a_sandbox_and_is_an_error_without(
    tmp_path: Path, repository: Path, mode: str
) -> None:
    bench = Bench(tmp_path / "bench")
    venv = repository / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--", str(venv)], check=True)
    [packages] = venv.glob("lib/python3*/site-packages")
    (packages / "editable.pth").write_text(f"{repository}\n")
    git(repository, "add", "new.py")
    script = 'cd / && python -c "import new; print(new.new, new.__file__)" > "$3/seen.txt"'
    adapter = bench.manifest(script, "x:y", policy=SandboxPolicy(tools=("python",)))
    environ = {"PATH": os.environ["PATH"], "HOME": str(bench.root / "user"), "TMPDIR": str(bench.root)}
    with open_workspace(repository, environ=environ) as workspace:
        # What was changed after the subject was taken is not part of it.
        workspace.checkout(0)
        (repository / "new.py").write_text("new = 'changed later'\n")
        context = bench.context(mode, environ=environ)
        [record] = run_plan(plan((adapter, "x:y")), workspace, bench.staging, context, bench.listener)
    if mode == "off":
        assert record.failure is not None
        assert "links to files outside the subject" in record.failure.message
    else:
        assert record.failure is None, bench.log("x:y")
        assert bench.artifact("seen.txt") == f"1 {repository}/new.py\n"
