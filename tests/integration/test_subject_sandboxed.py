"""What a process sees of the subject inside bubblewrap, where the checkout stands at the repository's own path."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ, fingerprint

from verigate.domain.subject import SubjectKind
from verigate.processes.sandbox import launch_in_sandbox, probe_bubblewrap
from verigate.processes.sandbox_view import Confinement
from verigate.subject.workspace import RunWorkspace, open_workspace


def _inside(workspace: RunWorkspace, *argv: str, number: int = 0) -> str:
    bubblewrap = probe_bubblewrap("/usr/bin/bwrap")
    assert bubblewrap is not None, "bubblewrap must work where the tests run"
    empty, home, tmp, links = (Path(workspace.path, name) for name in ("empty", "home", "tmp", "links"))
    empty.touch()
    for folder in (home, tmp, links):
        folder.mkdir(exist_ok=True)
    confinement = Confinement(
        root=workspace.subject.root,
        mounts=workspace.checkout(number).mounts,
        visible=(workspace.path,),
        writable=(str(home),),
        tmp=str(tmp),
        links=(str(links), {}),
        masked=(),
        empty=str(empty),
        network=False,
        read_only=False,
    )
    launch = launch_in_sandbox(bubblewrap, confinement, argv, None)
    # Without the filter that the runner's process loop passes, and the guard that reports to it.
    command = (*launch.argv[: launch.argv.index("--seccomp")], "--", *argv)
    done = subprocess.run(command, env=clean_environ(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write(".gitignore", "node_modules/\n.venv/\n")
    sample.write("src/x.py", "VALUE = 'subject'\n")
    sample.write("package.json", '{"workspaces": ["packages/*"]}')
    sample.write("packages/own/package.json", '{"name": "own", "main": "index.js"}')
    sample.write("packages/own/index.js", "module.exports = 'subject'")
    sample.commit()
    sample.write("src/x.py", "VALUE = 'user'\n")
    sample.write("packages/own/index.js", "module.exports = 'user'")
    return sample


def test_git_works_with_objects_of_the_repository_it_covers(repository: SampleRepository) -> None:
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        out = _inside(workspace, "sh", "-c", "git rev-parse --show-toplevel; git diff --cached --name-only; git log -1")
        assert out.splitlines()[:3] == [str(repository.path), "packages/own/index.js", "src/x.py"]
        assert "A Person" in out
        fsck = _inside(workspace, "git", "-c", "user.name=x", "-c", "user.email=x", "commit", "-qam", "inside")
        assert fsck == ""
        assert workspace.checkout(0).restore() == ()
    assert repository.git("rev-list", "--count", "--all") == "1"


def test_an_editable_install_sees_the_subject(repository: SampleRepository) -> None:
    env = repository.path / ".venv"
    venv.create(env, with_pip=False, symlinks=True)
    site = next(env.glob("lib/python*/site-packages"))
    (site / "editable.pth").write_text(f"{repository.path}/src\n")
    before = fingerprint(repository.path)
    with open_workspace(repository.path, kind=SubjectKind.COMMIT, ref="HEAD", environ=clean_environ()) as workspace:
        assert workspace.editable_leaks == (f"{site}/editable.pth",)
        out = _inside(workspace, f"{env}/bin/python", "-B", "-c", "import x, sys; print(x.VALUE, sys.prefix)")
        assert out.split() == ["subject", str(env)]
        refused = _inside(workspace, "sh", "-c", "touch .venv/x 2>/dev/null || echo refused; touch stray")
        assert refused == "refused\n"
        assert workspace.checkout(0).restore() == ("stray",)
    assert fingerprint(repository.path) == before


def test_packages_come_from_a_mount_and_workspaces_from_the_subject(repository: SampleRepository) -> None:
    modules = repository.path / "node_modules"
    for name, text in (("one", "module.exports = require('two')"), ("two", "module.exports = 'two'")):
        (modules / name).mkdir(parents=True)
        (modules / name / "index.js").write_text(text)
    (modules / "own").symlink_to("../packages/own")
    before = fingerprint(repository.path)
    with open_workspace(repository.path, kind=SubjectKind.COMMIT, ref="HEAD", environ=clean_environ()) as workspace:
        code = "console.log(require('one'), require('own')); require('fs').mkdirSync('node_modules/.vite-temp')"
        assert _inside(workspace, "node", "-e", code) == "two subject\n"
        write = (
            "try { require('fs').writeFileSync('node_modules/two/index.js', 'x') } catch (e) { console.log(e.code) }"
        )
        assert _inside(workspace, "node", "-e", write) == "EROFS\n"
        assert workspace.checkout(0).restore() == ()
        assert _inside(workspace, "node", "-p", "require('own')", number=1) == "subject\n"
    assert fingerprint(repository.path) == before


def test_the_gates_own_git_folder_cannot_be_written(repository: SampleRepository) -> None:
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        workspace.checkout(0)
        script = (
            f"for f in {workspace.path}/control.git/HEAD {workspace.policy_root}/x; do echo x > $f; done 2>&1; true"
        )
        assert _inside(workspace, "sh", "-c", script).count("Read-only file system") == 2


def test_a_store_of_pnpm_leads_to_the_subjects_packages(repository: SampleRepository) -> None:
    """Links of pnpm are relative: from packages into the store, from the store to packages of the workspace."""
    repository.write("packages/app/package.json", '{"name": "app"}')
    repository.write("packages/own/index.js", "module.exports = 'subject'")
    repository.commit()
    repository.write("packages/own/index.js", "module.exports = 'user'")
    modules = repository.path / "node_modules"
    kept = modules / ".pnpm" / "one@1.0.0" / "node_modules"
    (kept / "one").mkdir(parents=True)
    (kept / "one" / "index.js").write_text("module.exports = 'one with ' + require('own')")
    (kept / "own").symlink_to("../../../../packages/own")
    (modules / "one").symlink_to(".pnpm/one@1.0.0/node_modules/one")
    inner = repository.path / "packages" / "app" / "node_modules"
    (inner / "@scope").mkdir(parents=True)
    (inner / "@scope" / "one").symlink_to("../../../../node_modules/.pnpm/one@1.0.0/node_modules/one")
    (inner / "own").symlink_to("../../own")
    (modules / ".bin").mkdir()
    (modules / ".bin" / "show").write_text('#!/bin/sh\nexec node "$(dirname "$(readlink -f "$0")")/../one/index.js"\n')
    (modules / ".bin" / "show").chmod(0o755)
    before = fingerprint(repository.path)
    ref = repository.git("rev-parse", "HEAD").strip()
    with open_workspace(repository.path, kind=SubjectKind.COMMIT, ref=ref, environ=clean_environ()) as workspace:
        code = "process.chdir('packages/app'); const r = require('module').createRequire(process.cwd() + '/');"
        code += "console.log(r('@scope/one'), r('own'), r.resolve('@scope/one'))"
        out = _inside(workspace, "node", "-e", code).strip()
        place = f"{kept}/one/index.js"
        assert out == f"one with subject subject {place}"
        assert _inside(workspace, "node_modules/.bin/show") == ""
        write = f"try {{ require('fs').writeFileSync('{place}', 'x') }} catch (e) {{ console.log(e.code) }}"
        assert _inside(workspace, "node", "-e", write) == "EROFS\n"
        assert workspace.checkout(0).restore() == ()
    assert fingerprint(repository.path) == before
