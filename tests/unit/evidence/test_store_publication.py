from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import literal_facts as lf
import pytest

from verigate.domain.artifact import Artifact
from verigate.errors import EvidenceError, ExecutionError, LockedError
from verigate.evidence.accepted_files import AcceptedFiles
from verigate.evidence.index import build_index
from verigate.evidence.lock import task_lock
from verigate.evidence.store import (
    artifacts_folder,
    encode_json,
    publish,
    read_published,
    remove_unused_artifacts,
    task_folder,
    write_atomically,
)


def published(root: Path, value: Any = None, status: str = "pass") -> Path:
    """A task folder with one artifact, published."""
    accepted = AcceptedFiles(root / "accepted")
    content = encode_json(value if value is not None else {"a": 1})
    accepted.keep("x/check.json", content)
    item = lf.artifact("x/check.json", json.loads(content), producer="my:check")
    item = Artifact(
        **{**{name: getattr(item, name) for name in item.__slots__}, "sha256": hashlib.sha256(content).hexdigest()}
    )
    own = {"run.json": encode_json({"schema": "verigate:run.v1"}), "logs/my.check.out": b"hello\n"}
    folder = root / ".artifacts" / "T1"
    verdict = {"task_id": "T1", "status": status, "metadata": {"host": "h"}}
    publish(folder, accepted, own=own, index=build_index("T1", (item,), own), verdict=verdict)
    return folder


def test_what_was_published_is_read_again(tmp_path: Path) -> None:
    folder = published(tmp_path)
    found = read_published(folder)
    assert found.verdict["status"] == "pass"
    assert sorted(found.index) == ["logs/my.check.out", "run.json", "x/check.json"]
    assert json.loads(found.read("x/check.json")) == {"a": 1}
    with pytest.raises(EvidenceError, match="not in the index"):
        found.read("commitment.json")
    sums = (folder / "checksums.sha256").read_text()
    assert sums.count("\n") == 3
    assert "x/check.json" in sums


def test_what_is_held_is_what_was_checked_and_large_files_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verigate.evidence.store._MOST_HELD", 100)
    folder = published(tmp_path, {"a": "x" * 200})
    found = read_published(folder)
    assert sorted(found.held) == ["logs/my.check.out", "run.json"]
    for name in ("logs/my.check.out", "x/check.json"):
        (folder / name).write_text("changed")
    assert found.read("logs/my.check.out") == b"hello\n"
    with pytest.raises(EvidenceError, match="its content has changed"):
        found.read("x/check.json")


def test_publication_replaces_everything_but_what_people_wrote(tmp_path: Path) -> None:
    folder = published(tmp_path)
    for name in ("commitment.json", "claim.json", "UNVERIFIED"):
        (folder / name).write_text("mine")
    (folder / "stale.json").write_text("{}")
    (folder / "old").mkdir()
    (folder / "old" / "x.json").write_text("{}")
    (folder / "out").symlink_to(tmp_path)
    (folder / "verdict.json").unlink()
    (folder / "verdict.json").mkdir()
    published(tmp_path, {"a": 2}, "fail")
    assert sorted(path.name for path in folder.iterdir()) == [
        "UNVERIFIED",
        "artifacts.json",
        "checksums.sha256",
        "claim.json",
        "commitment.json",
        "logs",
        "run.json",
        "verdict.json",
        "x",
    ]
    assert (folder / "claim.json").read_text() == "mine"
    assert read_published(folder).verdict["status"] == "fail"


def test_what_is_there_already_stays_and_what_only_looks_like_it_goes(tmp_path: Path) -> None:
    folder = published(tmp_path)
    names = ("x/check.json", "run.json", "logs/my.check.out", "checksums.sha256", "artifacts.json")
    before = {name: (folder / name).stat().st_ino for name in names}
    (folder / "x" / "stray.json").write_text("{}")
    os.link(folder / "run.json", tmp_path / "another name")
    (folder / "logs" / "my.check.out").write_text("jello\n")
    published(tmp_path)
    stays = {name for name in names if (folder / name).stat().st_ino == before[name]}
    assert stays >= {"x/check.json", "checksums.sha256", "artifacts.json"}
    assert (folder / "run.json").stat().st_nlink == 1, "who has another name of it could write to it"
    assert (folder / "logs" / "my.check.out").read_text() == "hello\n"
    assert not (folder / "x" / "stray.json").exists()
    assert read_published(folder).verdict["status"] == "pass"


@pytest.mark.parametrize("obstacle", ["a folder of links", "a folder", "a link", "a pipe"])
def test_whatever_stands_in_a_file_s_place_goes(tmp_path: Path, obstacle: str) -> None:
    outside = tmp_path / "outside"
    (outside / "logs").mkdir(parents=True)
    folder = published(tmp_path)
    log = folder / "logs" / "my.check.out"
    log.unlink()
    if obstacle == "a folder of links":
        log.parent.rmdir()
        log.parent.symlink_to(outside / "logs")
    elif obstacle == "a folder":
        log.mkdir()
    elif obstacle == "a link":
        log.symlink_to(outside / "secret")
    else:
        os.mkfifo(log)
    published(tmp_path)
    assert log.read_text() == "hello\n"
    assert not log.is_symlink()
    assert not log.parent.is_symlink()
    assert list(outside.rglob("*")) == [outside / "logs"]


def test_accepted_files_are_the_same_in_memory_and_on_disk(tmp_path: Path) -> None:
    accepted = AcceptedFiles(tmp_path / "accepted")
    large = b"x" * (5 * 1024 * 1024)
    accepted.keep("small.json", b"{}")
    assert not (tmp_path / "accepted").exists()
    accepted.keep("deep/large.bin", large)
    assert (tmp_path / "accepted").is_dir()
    assert accepted.paths == ("small.json", "deep/large.bin")
    taken = ("small.json", "small.json/below", "deep", "deep/large.bin", "deep/large.bin/below")
    assert [path for path in (*taken, "deep/other", "other", "small") if accepted.is_taken(path)] == list(taken)
    for path, content in (("small.json", b"{}"), ("deep/large.bin", large)):
        target = tmp_path / path.replace("/", "-")
        accepted.copy(path, target)
        assert accepted.read(path) == target.read_bytes() == content
        with pytest.raises(FileExistsError):
            accepted.copy(path, target)


def edit(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def act(folder: Path) -> None:
        document = json.loads((folder / name).read_bytes())
        change(document)
        (folder / name).write_bytes(encode_json(document))

    return act


def reseal(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    """Edit the index and name its new digest in the verdict."""

    def act(folder: Path) -> None:
        edit("artifacts.json", change)(folder)
        seal = hashlib.sha256((folder / "artifacts.json").read_bytes()).hexdigest()
        edit("verdict.json", lambda verdict: verdict["metadata"].update(index_sha256=seal))(folder)

    return act


def outside(folder: Path) -> None:
    (folder / "x" / "check.json").rename(folder.parent / "check.json")
    (folder / "x" / "check.json").symlink_to(folder.parent / "check.json")


def pipe(folder: Path) -> None:
    (folder / "x" / "check.json").unlink()
    os.mkfifo(folder / "x" / "check.json")


def grow(name: str) -> Callable[[Path], object]:
    """More than the memory of the machine, of which the disk has next to nothing."""
    return lambda folder: os.truncate(folder / name, 1 << 40)


TAMPERED: dict[str, Callable[[Path], object]] = {
    "no verdict": lambda folder: (folder / "verdict.json").unlink(),
    "no index": lambda folder: (folder / "artifacts.json").unlink(),
    "no run": lambda folder: (folder / "run.json").unlink(),
    "artifact edited": lambda folder: (folder / "x" / "check.json").write_text('{"a": 3}'),
    "artifact removed": lambda folder: (folder / "x" / "check.json").unlink(),
    "artifact is a link": outside,
    "artifact is a pipe": pipe,
    "artifact of a terabyte": grow("x/check.json"),
    "verdict of a terabyte": grow("verdict.json"),
    "log edited": lambda folder: (folder / "logs" / "my.check.out").write_text("bye"),
    "run edited": edit("run.json", lambda run: run.update(x=1)),
    "index edited": edit("artifacts.json", lambda index: index["files"].pop()),
    "verdict truncated": lambda folder: (folder / "verdict.json").write_bytes(
        (folder / "verdict.json").read_bytes()[:40]
    ),
    "verdict empty": lambda folder: (folder / "verdict.json").write_text(""),
    "verdict binary": lambda folder: (folder / "verdict.json").write_bytes(b"\xff\x00"),
    "verdict an array": lambda folder: (folder / "verdict.json").write_text("[]"),
    "verdict without seal": edit("verdict.json", lambda verdict: verdict["metadata"].pop("index_sha256")),
    "metadata a string": edit("verdict.json", lambda verdict: verdict.update(metadata="x")),
    "verdict of another task": edit("verdict.json", lambda verdict: verdict.update(task_id="T2")),
    "index of another task": reseal(lambda index: index.update(task_id="T2")),
    "index without files": reseal(lambda index: index.pop("files")),
    "index of strings": reseal(lambda index: index.update(files=["x"])),
    "index without run": reseal(
        lambda index: index.update(files=[e for e in index["files"] if e["path"] != "run.json"])
    ),
    "index leads out": reseal(lambda index: index["files"][0].update(path="../T1/run.json")),
    "index is absolute": reseal(lambda index: index["files"][0].update(path="/etc/hostname")),
    "index twice": reseal(lambda index: index["files"].append(index["files"][0])),
    "index without hash": reseal(lambda index: index["files"][0].pop("sha256")),
    "index with odd volatile": reseal(lambda index: index["files"][0].update(volatile=["x"])),
    "index with a number for a path": reseal(lambda index: index["files"][0].update(path=1)),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_state_that_is_not_whole_is_not_verified(tmp_path: Path, name: str) -> None:
    folder = published(tmp_path)
    TAMPERED[name](folder)
    with pytest.raises(EvidenceError, match="not verified") as caught:
        read_published(folder)
    assert caught.value.exit_code == 3
    assert caught.value.where
    assert caught.value.hint == "run `gate verify T1`"


def test_a_task_folder_copied_from_another_task_is_not_verified(tmp_path: Path) -> None:
    import shutil

    folder = published(tmp_path)
    shutil.copytree(folder, folder.parent / "T9")
    with pytest.raises(EvidenceError, match="another task"):
        read_published(folder.parent / "T9")


KILLED = """\
import os, signal, sys
from pathlib import Path
from test_store_publication import published
left = int(sys.argv[2])
def hook(event, arguments):
    global left
    if event in {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.scandir", "shutil.rmtree"}:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
published(Path(sys.argv[1]), {"a": 2}, "fail")
"""


@pytest.mark.slow
def test_publication_killed_before_any_of_its_steps(tmp_path: Path) -> None:
    """Every file operation of a publication in turn is the one before which the process is killed."""
    import subprocess
    import sys

    here = Path(__file__).resolve().parent
    environ = {**os.environ, "PYTHONPATH": f"{here}:{here.parents[1] / 'support'}", "PYTHONDONTWRITEBYTECODE": "1"}
    seen = []
    for step in range(1, 200):
        root = tmp_path / str(step)
        folder = published(root, {"a": 1}, "pass")
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(root), str(step)], env=environ, capture_output=True, check=False
        )
        try:
            found = read_published(folder)
            value = json.loads(found.read("x/check.json"))
            seen.append((found.verdict["status"], value["a"]))
        except EvidenceError:
            seen.append(("not verified", 0))
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
    states = list(dict.fromkeys(seen))
    assert states == [("pass", 1), ("not verified", 0), ("fail", 2)], "old, then nothing, then new; never a mixture"
    assert seen.count(("not verified", 0)) > 10


def test_the_artifacts_folder_is_made_with_its_gitignore_and_is_no_link(tmp_path: Path) -> None:
    folder = artifacts_folder(tmp_path)
    assert "!*/commitment.json" in (folder / ".gitignore").read_text()
    other = tmp_path / "other"
    (other / "real").mkdir(parents=True)
    (other / ".artifacts").symlink_to("real")
    with pytest.raises(EvidenceError, match="symbolic link"):
        artifacts_folder(other)
    (folder / "T1").symlink_to(other)
    for root in (tmp_path, other):
        with pytest.raises(EvidenceError, match="symbolic link"):
            task_folder(root, "T1")
    file = tmp_path / "file"
    file.mkdir()
    (file / ".artifacts").write_text("x")
    with pytest.raises(EvidenceError, match="not a folder"):
        artifacts_folder(file)


def test_one_run_at_a_time_per_task(tmp_path: Path) -> None:
    with task_lock(tmp_path, "T1"):
        with pytest.raises(LockedError, match=str(os.getpid())), task_lock(tmp_path, "T1"):
            raise AssertionError("the lock was given twice")
        with task_lock(tmp_path, "T2"):
            pass
    with task_lock(tmp_path, "T1"):
        pass


@pytest.mark.parametrize("obstacle", ["link", "folder", "pipe", "locks is a file"])
def test_a_lock_that_can_not_be_made_is_told(tmp_path: Path, obstacle: str) -> None:
    locks = tmp_path / ".locks"
    if obstacle == "locks is a file":
        locks.write_text("x")
    else:
        locks.mkdir()
        if obstacle == "link":
            (locks / "T1").symlink_to(tmp_path / "elsewhere")
        elif obstacle == "pipe":
            os.mkfifo(locks / "T1")
        else:
            (locks / "T1").mkdir()
    with pytest.raises(ExecutionError, match="can't be taken"), task_lock(tmp_path, "T1"):
        raise AssertionError("there is no lock to hold")
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "report.json"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["report.json"]


@pytest.mark.parametrize("other", [".artifacts/T2/claim.json", ".artifacts/.locks/T2", ".artifacts/.gitignore.part"])
def test_only_what_a_run_made_for_its_lock_is_removed(tmp_path: Path, other: str) -> None:
    with task_lock(artifacts_folder(tmp_path), "T1"):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).touch()
        remove_unused_artifacts(tmp_path, "T1")
        assert (tmp_path / other).exists()
        (tmp_path / other).unlink()
    if not any((tmp_path / ".artifacts").glob("T*")):
        (tmp_path / ".artifacts/.locks/T1").touch()
        remove_unused_artifacts(tmp_path, "T1")
        assert list(tmp_path.iterdir()) == []
