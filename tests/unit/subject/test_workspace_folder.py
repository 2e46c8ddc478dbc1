from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ, contents

from verigate.domain.subject import SubjectKind
from verigate.errors import ExecutionError, SubjectError
from verigate.removal import remove
from verigate.subject.temporary_folder import open_temporary_folder, remove_stale_folders
from verigate.subject.workspace import open_workspace


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a", "1\n")
    sample.write("config/adapter-plan.json", '{"code": {}}')
    sample.write("adapters/mine/manifest.json", "{}")
    sample.write("adapters/mine/bin/adapter-mine", "#!/bin/sh\n", executable=True)
    sample.write("hooks/pre-push", "#!/bin/sh\n", executable=True)
    sample.write("package.json", "{}")
    sample.commit()
    return sample


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "tmp").mkdir()
    return tmp_path / "tmp"


def test_it_is_private_and_gone_afterwards_also_after_an_error(repository: SampleRepository, place: Path) -> None:
    def failing() -> None:
        with open_workspace(repository.path, environ=clean_environ(TMPDIR=str(place))) as workspace:
            path = Path(workspace.path)
            assert path.parent == place
            assert path.name.startswith("verigate-run-")
            assert path.stat().st_mode & 0o777 == 0o700
            assert (path / "lock").read_text() == f"verigate run {os.getpid()}\n"
            workspace.checkout(0)
            raise LookupError

    with pytest.raises(LookupError):
        failing()
    assert list(place.iterdir()) == []


def test_what_judges_can_import_nothing_whose_change_is_not_seen(repository: SampleRepository) -> None:
    for name in ("adapters/common.sh", "adapters/shared/lib.py", "adapters/tool.toml", "adapters/mine/deep/lib.py"):
        repository.write(name, "1\n")
    repository.commit()
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        copied = Path(workspace.policy_root, "adapters")
        found = sorted(str(path.relative_to(copied)) for path in copied.rglob("*") if path.is_file())
        assert found == ["mine/bin/adapter-mine", "mine/deep/lib.py", "mine/manifest.json", "tool.toml"]


def test_it_never_lies_in_the_repository(repository: SampleRepository) -> None:
    inside = repository.path / "tmp"
    inside.mkdir()
    with open_workspace(repository.path, environ=clean_environ(TMPDIR=str(inside))) as workspace:
        assert not workspace.path.startswith(str(repository.path))
    with pytest.raises(ExecutionError, match="no temporary folder"), open_temporary_folder({}, "/", time.time_ns):
        pass


def test_what_a_killed_run_left_is_swept_and_what_lives_is_not(repository: SampleRepository, place: Path) -> None:
    code = (
        "import os, sys, time\n"
        "from verigate.subject.workspace import open_workspace\n"
        "with open_workspace(sys.argv[1], environ=dict(os.environ)) as workspace:\n"
        "    workspace.checkout(0)\n"
        "    print(workspace.path, flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = (sys.executable, "-c", code, str(repository.path))
    with subprocess.Popen(command, env=clean_environ(TMPDIR=str(place)), stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout
        left = Path(killed.stdout.readline().strip())
        assert remove_stale_folders(str(place), time.time_ns) == 0
        assert (left / "work/0/a").exists()
        killed.send_signal(signal.SIGKILL)
    assert left.exists()
    with open_workspace(repository.path, environ=clean_environ(TMPDIR=str(place))):
        assert not left.exists()


def test_only_stale_folders_of_ours_are_swept(place: Path) -> None:
    names = ("stale", "empty", "beginning", "young", "strangers", "strangers-lock", "linked-lock")
    for name in names:
        (place / f"verigate-run-{name}").mkdir()
    (place / "verigate-src").mkdir()
    (place / "verigate-run-file").touch()
    (place / "verigate-run-link").symlink_to(place / "verigate-src")
    (place / "verigate-run-stale/lock").write_text("verigate run 1\n")
    (place / "verigate-run-beginning/lock.new").touch()
    (place / "verigate-run-strangers/work").touch()
    (place / "verigate-run-strangers-lock/lock").write_text("yarn lockfile v1\n")
    (place / "verigate-run-linked-lock/lock").symlink_to(place / "verigate-run-stale/lock")
    later = time.time_ns() + 601_000_000_000
    os.utime(place / "verigate-run-young", ns=(later, later))
    assert remove_stale_folders(str(place), lambda: later) == 3
    assert sorted(path.name.removeprefix("verigate-run-") for path in place.iterdir()) == [
        "file",
        "link",
        "linked-lock",
        "strangers",
        "strangers-lock",
        "verigate-src",
        "young",
    ]
    assert remove_stale_folders(str(place / "nowhere"), lambda: later) == 0


def test_removal_follows_no_links(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/kept").touch()
    folder = tmp_path / "folder/inner"
    folder.mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path / "outside")
    remove(os.fsencode(tmp_path / "folder"))
    (tmp_path / "alias").symlink_to(tmp_path / "outside")
    remove(os.fsencode(tmp_path / "alias"))
    remove(os.fsencode(tmp_path / "never-was"))
    remove(os.fsencode(tmp_path / "outside/kept/below-a-file"))
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert (tmp_path / "outside/kept").exists()


def test_the_judges_files_are_a_pristine_copy(repository: SampleRepository) -> None:
    repository.write("config/adapter-plan.json", '{"changed": {}}')
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        Path(workspace.checkout(0).path, "config/adapter-plan.json").write_text("tampered")
        policy = Path(workspace.policy_root)
        assert (policy / "config/adapter-plan.json").read_text() == '{"changed": {}}'
        assert os.access(policy / "adapters/mine/bin/adapter-mine", os.X_OK)
        assert sorted(contents(policy)) == [
            "adapters",
            "adapters/mine",
            "adapters/mine/bin",
            "adapters/mine/bin/adapter-mine",
            "adapters/mine/manifest.json",
            "config",
            "config/adapter-plan.json",
            "hooks",
            "hooks/pre-push",
            "package.json",
        ]
        assert workspace.changed_policy_files == ("config/adapter-plan.json",)
        assert workspace.read_base_file("config/adapter-plan.json") == b'{"code": {}}'


def test_judges_that_come_go_or_are_linked_are_noticed(repository: SampleRepository, tmp_path: Path) -> None:
    repository.git("rm", "--quiet", "-r", "adapters/mine", "hooks")
    repository.write("adapters/more/manifest.json", "{}")
    repository.write("adapters/more/src/x.py", "")
    repository.write("adapters/innocent/x.py", "")
    (repository.path / "adapters/linked").symlink_to(tmp_path)
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        assert workspace.changed_policy_files == (
            "adapters/linked",
            "adapters/mine/bin/adapter-mine",
            "adapters/mine/manifest.json",
            "adapters/more/manifest.json",
            "adapters/more/src/x.py",
            "hooks/pre-push",
        )


def test_links_that_lead_out_of_the_judges_files_are_left_out(repository: SampleRepository, tmp_path: Path) -> None:
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil/manifest.json").write_text("{}")
    (repository.path / "adapters/out").symlink_to(tmp_path / "evil")
    (repository.path / "adapters/mine/alias").symlink_to("bin/adapter-mine")
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        policy = Path(workspace.policy_root)
        assert not os.path.lexists(policy / "adapters/out")
        assert (policy / "adapters/mine/alias").readlink() == Path("bin/adapter-mine")
        assert any("adapters/out" in note for note in workspace.notes)


@pytest.mark.parametrize("folder", [True, False])
def test_configuration_behind_a_link_is_refused(repository: SampleRepository, tmp_path: Path, folder: bool) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/adapter-plan.json").write_text("{}")
    repository.git("rm", "--quiet", "-r", "config")
    if folder:
        (repository.path / "config").symlink_to(tmp_path / "elsewhere")
    else:
        (repository.path / "config").mkdir()
        (repository.path / "config/adapter-plan.json").symlink_to(tmp_path / "elsewhere/adapter-plan.json")
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        assert workspace.changed_policy_files
        with pytest.raises(SubjectError, match="symbolic link"):
            _ = workspace.policy_root


def test_a_base_file_that_is_a_link_is_refused(repository: SampleRepository) -> None:
    (repository.path / "alias").symlink_to("a")
    repository.commit()
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        with pytest.raises(SubjectError, match="not a regular file"):
            workspace.read_base_file("alias")
        assert workspace.read_base_file("nowhere") is None


def test_what_does_not_fit_together_is_refused(repository: SampleRepository, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    environ = clean_environ()
    with pytest.raises(SubjectError, match="no commit was named"):
        open_workspace(repository.path, kind=SubjectKind.COMMIT, environ=environ).__enter__()
    with pytest.raises(SubjectError, match="the subject is not one"):
        open_workspace(repository.path, ref="HEAD", environ=environ).__enter__()
    with pytest.raises(SubjectError, match="not a git repository"):
        open_workspace(tmp_path / "plain", base="HEAD", environ=environ).__enter__()
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    odd.mkdir()
    with pytest.raises(SubjectError, match="UTF-8"):
        open_workspace(odd, environ=environ).__enter__()


def test_what_has_been_committed_below_artifacts_is_found_in_base_head_and_the_commit(
    repository: SampleRepository,
) -> None:
    path = ".artifacts/T1/commitment.json"
    first = repository.git("rev-parse", "HEAD")
    repository.write(path, "agreed")
    repository.commit()
    agreed = repository.git("rev-parse", "HEAD")
    repository.write(path, "edited")
    repository.commit()
    repository.write(path, "not committed")
    found: dict[tuple[str, str | None], tuple[bytes, ...]] = {
        (first, None): (b"edited",),
        (agreed, None): (b"agreed", b"edited"),
        ("HEAD", None): (b"edited",),
        (agreed, "HEAD"): (b"agreed", b"edited"),
        (first, "HEAD"): (b"edited",),
        (first, agreed): (b"agreed",),
    }
    for (base, ref), contents_ in found.items():
        kind = SubjectKind.COMMIT if ref else SubjectKind.WORKTREE
        with open_workspace(repository.path, kind=kind, ref=ref, base=base, environ=clean_environ()) as workspace:
            assert workspace.read_committed(path) == contents_, (base, ref)
            assert workspace.read_committed(".artifacts/T2/commitment.json") == ()
    repository.git("add", "--force", path)
    environ = clean_environ()
    for kind, lands in ((SubjectKind.INDEX, (b"edited", b"not committed")), (SubjectKind.WORKTREE, (b"edited",))):
        with open_workspace(repository.path, kind=kind, environ=environ) as workspace:
            assert workspace.read_committed(path) == lands


def test_a_committed_folder_or_link_in_the_place_of_a_file_is_something(repository: SampleRepository) -> None:
    repository.write(".artifacts/T1/commitment.json/x", "a folder")
    (repository.path / ".artifacts/T2").mkdir()
    (repository.path / ".artifacts/T2/commitment.json").symlink_to("elsewhere")
    repository.git("add", "--force", ".artifacts")
    repository.commit()
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        assert workspace.read_committed(".artifacts/T1/commitment.json") == (b"",)
        assert workspace.read_committed(".artifacts/T2/commitment.json") == (b"elsewhere",)
