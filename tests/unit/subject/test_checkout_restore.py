from __future__ import annotations

import mmap
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from disk_folders import DiskFolder, open_disk_folder
from sample_repository import SampleRepository, clean_environ, contents

from verigate.change_times import find_file_system
from verigate.errors import ExecutionError
from verigate.subject import snapshot
from verigate.subject.checkout import REPORTED_AT_MOST, PrivateCheckout
from verigate.subject.workspace import RunWorkspace, open_workspace


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    sample = SampleRepository.create(tmp_path / "r")
    sample.write("a", "1\n")
    sample.write("folder/b", "2\n")
    sample.write("folder/deep/c", "3\n")
    sample.write("other/b", "4\n")
    sample.write("run", "#!/bin/sh\n", executable=True)
    sample.write(".gitignore", "*.log\nnode_modules/\n.venv/\n")
    (sample.path / "link").symlink_to("a")
    (sample.path / "out").symlink_to("/etc/hostname")
    sample.commit()
    sample.write("new", "untracked\n")
    return sample


@pytest.fixture
def workspace(repository: SampleRepository) -> Iterator[RunWorkspace]:
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        yield workspace


@pytest.fixture
def checkout(workspace: RunWorkspace) -> PrivateCheckout:
    return workspace.checkout(0)


def _same_second(path: Path) -> None:
    before = path.stat()
    path.write_text("X\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _through_hard_link(path: Path) -> None:
    other = path.parent / "hard"
    other.hardlink_to(path / "a")
    other.write_text("X\n")
    other.unlink()


def _swap_folders(path: Path) -> None:
    (path / "folder").rename(path / "x")
    (path / "other").rename(path / "folder")
    (path / "x").rename(path / "other")


def _link_out(path: Path) -> None:
    shutil.rmtree(path / "folder")
    (path / "folder").symlink_to("/etc")


def _git_work(path: Path) -> None:
    sample = SampleRepository(path)
    sample.write("a", "committed\n")
    sample.commit()


def _nested(path: Path) -> None:
    sample = SampleRepository.create(path / "nested")
    sample.write("x", "1\n")
    sample.commit()


def _deep(path: Path) -> None:
    # Deeper than a path may be long and than a recursion may go.
    folder = os.open(path, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deep", dir_fd=folder)
        inner = os.open("deep", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)


def _odd_names(path: Path) -> None:
    for name in (b"-rf", b"$(x)", b"a\nb", b"\xff\xfe", b" ", b"*", b":(top)x"):
        (path / os.fsdecode(name)).write_text("x")


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "nothing": (lambda path: (path / "a").read_text(), []),
    "rewritten": (lambda path: (path / "a").write_text("changed\n"), ["a"]),
    "rewritten in place with its time put back": (lambda path: _same_second(path / "a"), ["a"]),
    "rewritten through a hard link": (_through_hard_link, ["a"]),
    "deleted": (lambda path: (path / "a").unlink(), ["a"]),
    "folder deleted": (
        lambda path: shutil.rmtree(path / "folder"),
        ["folder/", "folder/b", "folder/deep/", "folder/deep/c"],
    ),
    "folder swapped": (
        _swap_folders,
        ["folder/b", "folder/deep/", "folder/deep/c", "other/b", "other/deep/"],
    ),
    "folder replaced by a link that leads out": (
        _link_out,
        ["folder/", "folder/b", "folder/deep/", "folder/deep/c"],
    ),
    "file replaced by a folder": (lambda path: ((path / "a").unlink(), (path / "a" / "x").mkdir(parents=True)), ["a"]),
    "link bent": (lambda path: ((path / "link").unlink(), (path / "link").symlink_to("b")), ["link"]),
    "written through a link": (lambda path: (path / "link").write_text("x"), ["a"]),
    "made executable": (lambda path: (path / "a").chmod(0o755), ["a"]),
    "made unreadable": (lambda path: (path / "a").chmod(0), ["a"]),
    "folder made unreadable": (lambda path: (path / "folder").chmod(0), ["folder/"]),
    "stray": (lambda path: (path / "stray").write_text("x"), ["stray"]),
    "ignored stray": (lambda path: (path / "x.log").write_text("x"), ["x.log"]),
    "empty folder": (lambda path: (path / "empty").mkdir(), ["empty/"]),
    "nested repository": (_nested, ["nested/"]),
    "deep": (_deep, ["deep/"]),
    "pipe": (lambda path: os.mkfifo(path / "pipe"), ["pipe"]),
    "odd names": (_odd_names, [" ", "$(x)", "*", "-rf", ":(top)x", "\\xff\\xfe", "a\nb"]),
    "commits of its own": (_git_work, ["a"]),
    "git folder gone": (lambda path: shutil.rmtree(path / ".git"), []),
    "git folder hostile": (lambda path: (path / ".git/config").write_text("[core]\nfsmonitor = touch /tmp/x"), []),
    "everything gone": (shutil.rmtree, ["./"]),
    "replaced as a whole": (lambda path: (path.rename(path.parent / "gone"), path.symlink_to("/etc")), ["./"]),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name == "deep" else ()) for name in CHANGES]
)
def test_whatever_was_done_is_undone_and_told(checkout: PrivateCheckout, name: str) -> None:
    path = Path(checkout.path)
    before = contents(path)
    change, expected = CHANGES[name]
    change(path)
    assert list(checkout.restore()) == sorted(expected)
    assert contents(path) == before
    assert Path("/etc/hostname").exists()
    assert checkout.restore() == ()
    git = SampleRepository(path)
    assert git.git("status", "--porcelain") == "A  new"
    assert git.git("diff-files", "--name-only") == ""


def test_the_checkout_has_a_git_of_its_own(repository: SampleRepository, checkout: PrivateCheckout) -> None:
    git = SampleRepository(Path(checkout.path))
    assert git.git("rev-parse", "HEAD") == repository.git("rev-parse", "HEAD")
    assert git.git("diff", "--cached", "--name-status") == "A\tnew"
    assert git.git("show", "HEAD:a") == "1"
    assert git.git("fsck", "--no-dangling") == ""
    git.write("y", "1\n")
    git.commit()
    assert repository.git("log", "--oneline", "--all").count("\n") == 0


def test_others_are_pristine_whatever_the_first_has_seen(workspace: RunWorkspace) -> None:
    first = workspace.checkout(0)
    before = contents(Path(first.path))
    Path(first.path, "a").write_text("changed\n")
    second = workspace.checkout(1)
    assert second.path != first.path
    assert contents(Path(second.path)) == before
    assert workspace.checkout(1) is second
    assert second.mounts[0].source == second.path
    assert second.mounts[0].target == workspace.subject.root
    assert first.restore() == ("a",)


@pytest.mark.slow
def test_the_list_is_bounded(checkout: PrivateCheckout) -> None:
    for number in range(REPORTED_AT_MOST + 5):
        Path(checkout.path, f"stray-{number}").touch()
    assert len(checkout.restore()) == REPORTED_AT_MOST
    assert checkout.restore() == ()


def test_what_cannot_be_put_back_is_an_error(checkout: PrivateCheckout, workspace: RunWorkspace) -> None:
    Path(checkout.path, "a").unlink()
    shutil.rmtree(Path(workspace.path, "control.git"))
    with pytest.raises(ExecutionError) as caught:
        checkout.restore()
    assert caught.value.exit_code == 3


def test_restoring_needs_no_privileges(repository: SampleRepository, tmp_path: Path) -> None:
    # Root may read what nobody may; without its capabilities modes count as they do for everybody else.
    script = tmp_path / "unprivileged.py"
    script.write_text(
        "import os, sys\n"
        "from pathlib import Path\n"
        "from verigate.subject.workspace import open_workspace\n"
        "with open_workspace(sys.argv[1], environ=dict(os.environ)) as workspace:\n"
        "    checkout = workspace.checkout(0)\n"
        "    path = Path(checkout.path)\n"
        "    (path / 'stray/inner').mkdir(parents=True)\n"
        "    (path / 'stray/inner/x').touch()\n"
        "    for name in ('stray/inner', 'stray', 'folder/deep', 'folder', 'a'):\n"
        "        (path / name).chmod(0)\n"
        "    try:\n"
        "        os.listdir(path / 'folder')\n"
        "    except PermissionError:\n"
        "        print('closed')\n"
        "    print(checkout.restore())\n"
        "    (path / 'left/inner').mkdir(parents=True)\n"
        "    (path / 'left/inner').chmod(0)\n"
        "    (path / 'left').chmod(0)\n"
        "    place = workspace.path\n"
        "print(os.path.exists(place))\n"
    )
    drop = ("setpriv", "--inh-caps=-all", "--bounding-set=-all") if os.getuid() == 0 else ()
    done = subprocess.run(
        (*drop, sys.executable, str(script), str(repository.path)),
        env=clean_environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["closed", "('a', 'folder/', 'folder/deep/', 'stray/')", "False"]


def test_a_plain_folder_is_put_back_too(tmp_path: Path) -> None:
    folder = SampleRepository(tmp_path / "plain")
    folder.write("a/b", "1\n", executable=True)
    (folder.path / "link").symlink_to("a")
    with open_workspace(folder.path, environ=clean_environ()) as workspace:
        checkout = workspace.checkout(0)
        before = contents(Path(checkout.path))
        Path(checkout.path, "a/b").write_text("changed\n")
        Path(checkout.path, "link").unlink()
        Path(checkout.path, "stray").touch()
        assert checkout.restore() == ("a/b", "link", "stray")
        assert contents(Path(checkout.path)) == before
        assert checkout.restore() == ()


@pytest.mark.parametrize("memory", [True, False], ids=["in memory", "on the disk"])
def test_what_is_written_through_a_mapping_is_undone_and_told(
    repository: SampleRepository, tmp_path: Path, *, memory: bool
) -> None:
    """tmpfs gives such a file no new time if its page was read before."""
    shared = Path("/dev/shm")  # noqa: S108 - a folder of this test's own below it
    place = shared if memory and os.access(shared, os.W_OK) else tmp_path
    with (
        TemporaryDirectory(dir=place) as folder,
        open_workspace(repository.path, environ=clean_environ(TMPDIR=folder)) as workspace,
    ):
        checkout = workspace.checkout(0)
        for name in ("a", "folder/b"):
            with Path(checkout.path, name).open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
                assert mapped[0:1].isdigit()
                mapped[0:1] = b"X"
        assert checkout.restore() == ("a", "folder/b")
        assert Path(checkout.path, "a").read_text() == "1\n"
        assert checkout.restore() == ()


MOUNTS = rb"""21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 21 0:26 / /tmp rw,nosuid shared:5 - tmpfs tmpfs rw
31 21 0:27 / /a\040b rw master:1 shared:2 - xfs none rw
32 21 0:28 / /over rw - ext4 /dev/vdb rw
33 32 0:29 / /over rw - overlay overlay rw
34 21 0:30 / /tmp/disk rw - btrfs /dev/vdc rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (b"/home/x", b"ext4"),
        (b"/tmp", b"tmpfs"),
        (b"/tmp/x", b"tmpfs"),
        (b"/tmpx", b"ext4"),
        (b"/tmp/disk/x", b"btrfs"),
        (b"/a b/c", b"xfs"),
        (b"/over/x", b"overlay"),
    ],
)
def test_the_file_system_of_a_path(path: bytes, kind: bytes) -> None:
    assert find_file_system(path, MOUNTS) == kind


def test_settling_waits_until_the_clock_has_moved_on() -> None:
    slept: list[float] = []
    marks = {b"a": (0o100644, 1, 1, 5_000_000_001, b"")}
    snapshot.settle(marks, lambda: 5_000_000_001, slept.append)
    snapshot.settle(marks, lambda: 5_100_000_000, slept.append)
    assert slept == [0.011]


def test_settling_knows_file_systems_that_count_seconds() -> None:
    slept: list[float] = []
    marks = dict.fromkeys((b"a", b"b", b"c", b"d"), (33188, 1, 1, 5000000000, b""))
    snapshot.settle(marks, lambda: 5_500_000_000, slept.append)
    snapshot.settle({}, lambda: 0, slept.append)
    assert slept == [1.5]


@pytest.fixture
def on_disk() -> Iterator[DiskFolder]:
    with open_disk_folder() as folder:
        yield folder


def _environ(folder: DiskFolder) -> dict[str, str]:
    return {**clean_environ(), "TMPDIR": str(folder.path)}


def test_who_reads_which_commit_is_the_base_is_seen_once(repository: SampleRepository, on_disk: DiskFolder) -> None:
    with open_workspace(repository.path, environ=_environ(on_disk)) as workspace:
        _read_once(workspace.checkout(0), counts_anyway=not on_disk.shows_reads)


def _read_once(checkout: PrivateCheckout, *, counts_anyway: bool) -> None:
    git = Path(checkout.path) / ".git"
    for name in ("index", "config", "objects/info/alternates"):
        (git / name).read_bytes()
    assert checkout.took_base() is counts_anyway
    head = (git / "HEAD").read_bytes()
    assert checkout.took_base()
    assert checkout.restore() == ()
    assert checkout.took_base() is counts_anyway
    assert (git / "HEAD").read_bytes() == head


@pytest.mark.parametrize(
    ("act", "counts"),
    [(Path.read_text, True), (Path.unlink, True), (lambda path: path.write_text("ref: refs/heads/mine\n"), False)],
)
def test_tags_and_a_head_that_is_gone_count_as_read(
    repository: SampleRepository, on_disk: DiskFolder, act: Callable[[Path], object], *, counts: bool
) -> None:
    repository.git("tag", "v1")
    for name in ("HEAD", "packed-refs"):
        with open_workspace(repository.path, environ=_environ(on_disk)) as workspace:
            checkout = workspace.checkout(0)
            before = (Path(checkout.path) / ".git" / name).lstat().st_size
            act(Path(checkout.path) / ".git" / name)
            assert checkout.took_base() is (counts or not on_disk.shows_reads)
            checkout.restore()
            assert (Path(checkout.path) / ".git" / name).lstat().st_size == before


def test_where_reads_cannot_be_seen_everything_counts_as_read(
    repository: SampleRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verigate.subject.checkouts.shows_reads", lambda _: False)
    with open_workspace(repository.path, environ=clean_environ()) as workspace:
        assert workspace.checkout(0).took_base()
