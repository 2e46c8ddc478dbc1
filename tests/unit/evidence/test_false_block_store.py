"""Reports of false blocks: kept outside of the repository, added only, and read whatever the file holds."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from verigate.domain.false_block import FalseBlock
from verigate.errors import UsageError
from verigate.evidence import false_block_store as store

REPORT = FalseBlock(
    "T1", f"sha256:{'0' * 64}", "fail", "2026-11-02T12:00:00Z", ("code.tests_pass",), ("TEST_FAIL",), "It is flaky.",
    "alice", "2026-11-03T12:00:00Z",
)  # fmt: skip


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def file_of(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "home/.local/state/verigate/false-blocks").iterdir()
    return found


def test_reports_are_added_once_and_read_newest_first(root: Path, environ: dict[str, str], tmp_path: Path) -> None:
    assert store.read_false_blocks(root, environ).reports == ()
    assert store.add_false_block(root, environ, REPORT)
    assert not store.add_false_block(root, environ, replace(REPORT, reported="2026-11-04T12:00:00Z", by="bob"))
    other = replace(REPORT, reason="Another one.\u202e")
    assert store.add_false_block(root, environ, other)
    assert store.read_false_blocks(root, environ).reports == (other, REPORT)
    # A repository has a file of its own, which nobody else reads, and nothing is in the repository.
    assert file_of(tmp_path).stat().st_mode & 0o777 == 0o600
    assert list(root.iterdir()) == []
    (tmp_path / "other").mkdir()
    assert store.read_false_blocks(tmp_path / "other", environ).reports == ()


def test_what_is_no_report_is_counted_and_left(root: Path, environ: dict[str, str], tmp_path: Path) -> None:
    store.add_false_block(root, environ, REPORT)
    with file_of(tmp_path).open("ab") as file:
        file.write(b'{"task_id": 1}\n[]\n\xff\xfe\n' + b"[" * 100_000 + b'\n{"task_id": "T1", "verd')
    assert store.add_false_block(root, environ, replace(REPORT, reason="After a writer was killed."))
    found = store.read_false_blocks(root, environ)
    assert [each.reason for each in found.reports] == ["After a writer was killed.", "It is flaky."]
    assert found.unreadable == 5


def test_writers_at_once_lose_nothing(root: Path, environ: dict[str, str]) -> None:
    def write(number: int) -> None:
        for each in range(20):
            store.add_false_block(root, environ, replace(REPORT, reason=f"reason {number} {each}"))

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = store.read_false_blocks(root, environ)
    assert (len({each.reason for each in found.reports}), found.unreadable) == (80, 0)


def test_a_link_a_pipe_and_a_full_file_are_refused(
    root: Path, environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add_false_block(root, environ, REPORT)
    path, other = file_of(tmp_path), replace(REPORT, reason="another")
    monkeypatch.setattr(store, "LARGEST", path.stat().st_size + 10)
    with pytest.raises(UsageError, match="bytes already"):
        store.add_false_block(root, environ, other)
    (tmp_path / "elsewhere").write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere").read_bytes()
    with pytest.raises(UsageError, match="can't be kept"):
        store.add_false_block(root, environ, other)
    assert store.read_false_blocks(root, environ).reports == ()
    assert (tmp_path / "elsewhere").read_bytes() == before
    path.unlink()
    os.mkfifo(path)
    assert store.read_false_blocks(root, environ).reports == ()
    with pytest.raises(UsageError):
        store.add_false_block(root, environ, other)


def test_a_state_folder_inside_the_repository_is_refused(root: Path) -> None:
    for environ in ({"HOME": str(root)}, {"XDG_STATE_HOME": str(root / "state"), "HOME": "/nowhere"}, {}):
        with pytest.raises(UsageError, match="no folder"):
            store.add_false_block(root, environ, REPORT)
        assert store.read_false_blocks(root, environ).reports == ()
