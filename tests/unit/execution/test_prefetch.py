"""A workspace that is opened before it is asked for is the one that is asked for, or nothing is left of it."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.domain.subject import SubjectKind
from verigate.errors import SubjectError
from verigate.execution.prefetch import WantedSubject, prefetch

STAGED = WantedSubject(SubjectKind.INDEX, None, None)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "tmp").mkdir()
    return {**clean_environ(), "TMPDIR": str(tmp_path / "tmp")}


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a.py", "1\n")
    sample.commit()
    sample.write("b.py", "2\n")
    sample.git("add", "--all")
    return sample


def runs(environ: dict[str, str]) -> list[str]:
    return [path.name for path in Path(environ["TMPDIR"]).iterdir()]


def test_what_was_begun_is_what_is_asked_for(repository: SampleRepository, environ: dict[str, str]) -> None:
    steps = iter([None] * 1000)
    with prefetch(repository.path, STAGED, environ) as ahead:
        with ahead.workspace(repository.path, kind=SubjectKind.INDEX, meanwhile=steps) as workspace:
            assert [change.path for change in workspace.subject.changes] == ["b.py"]
            assert (Path(workspace.checkout(0).path) / "b.py").read_text() == "2\n"
            assert runs(environ) == [Path(workspace.path).name]
        with pytest.raises(ValueError, match="once"), ahead.workspace(repository.path, kind=SubjectKind.INDEX):
            pass
    assert runs(environ) == []


def test_another_one_is_opened_then(repository: SampleRepository, environ: dict[str, str]) -> None:
    with prefetch(repository.path, STAGED, environ) as ahead:
        with ahead.workspace(repository.path, kind=SubjectKind.COMMIT, ref="HEAD") as workspace:
            assert [change.path for change in workspace.subject.changes] == ["a.py"]
        with ahead.workspace(repository.path, kind=SubjectKind.INDEX) as workspace:
            assert [change.path for change in workspace.subject.changes] == ["b.py"]
    assert runs(environ) == []


def test_an_error_is_raised_where_the_workspace_is_asked_for(
    repository: SampleRepository, environ: dict[str, str]
) -> None:
    wanted = WantedSubject(SubjectKind.COMMIT, "no-such-branch", None)
    with prefetch(repository.path, wanted, environ) as ahead:
        asked = ahead.workspace(repository.path, kind=SubjectKind.COMMIT, ref="no-such-branch")
        with pytest.raises(SubjectError, match="no-such-branch"), asked:
            pass
    assert runs(environ) == []


def test_judges_that_can_not_be_copied_are_told_and_nothing_is_left(
    repository: SampleRepository, environ: dict[str, str]
) -> None:
    (repository.path / "config").mkdir()
    (repository.path / "config" / "adapter-plan.json").symlink_to("../a.py")
    repository.git("add", "--all")
    with prefetch(repository.path, STAGED, environ) as ahead:
        asked = ahead.workspace(repository.path, kind=SubjectKind.INDEX)
        with pytest.raises(SubjectError, match="symbolic link"), asked:
            pass
    assert runs(environ) == []


def test_nobody_waits_for_what_is_not_asked_for(
    tmp_path: Path, repository: SampleRepository, environ: dict[str, str]
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    environ["PATH"] = f"{slow.parent}:{environ['PATH']}"
    stranger = subprocess.Popen(("sleep", "60"))
    started = time.monotonic()

    def fails() -> None:
        with prefetch(repository.path, STAGED, environ):
            time.sleep(0.2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert time.monotonic() - started < 20
    assert runs(environ) == []
    assert stranger.poll() is None, "it was there before"
    stranger.kill()
    stranger.wait()


def test_the_probe_of_the_sandbox_is_never_killed(
    repository: SampleRepository, environ: dict[str, str], tmp_path: Path
) -> None:
    # bubblewrap that is killed while it starts leaves a child behind, which waits for it for ever.
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "bwrap").write_text(f'#!/bin/sh\nsleep 0.3\nprintf "%s\\n" "$@" > "{tmp_path}/ended"\n')
    (programs / "bwrap").chmod(0o755)
    with prefetch(repository.path, STAGED, {**environ, "PATH": f"{programs}:{environ['PATH']}"}):
        pass
    assert "--die-with-parent" not in (tmp_path / "ended").read_text().splitlines()
