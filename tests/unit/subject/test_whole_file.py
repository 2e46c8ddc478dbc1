"""Files are written whole, also where others write them too, or died while they did."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
from pathlib import Path

import pytest

from verigate.subject.whole_file import remove_parts, write_whole


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_content_is_replaced_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"one", b"", b"two" * 100_000):
        write_whole(path, content)
        assert path.read_bytes() == content
    assert names(tmp_path) == {"file"}


def test_a_mode_holds_whatever_the_umask_is(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_whole(tmp_path / "hook", b"", mode=0o755, exactly=True)
        write_whole(tmp_path / "file", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "hook").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("what", ["file", "hard link", "link", "pipe", "socket", "dangling"])
def test_what_lies_where_it_is_written_first_is_left_alone_or_removed(tmp_path: Path, what: str) -> None:
    part, other = tmp_path / ".file.part", tmp_path / "other"
    other.write_bytes(b"of somebody")
    if what == "file":
        part.write_bytes(b"half")
    elif what == "hard link":
        part.hardlink_to(other)
    elif what in {"link", "dangling"}:
        part.symlink_to(other if what == "link" else tmp_path / "nowhere")
    elif what == "pipe":
        os.mkfifo(part)
    else:
        with socket.socket(socket.AF_UNIX) as listener:
            here = Path.cwd()
            os.chdir(tmp_path)  # an address has a hundred characters at most
            try:
                listener.bind(part.name)
            finally:
                os.chdir(here)
    write_whole(tmp_path / "file", b"whole")
    assert (tmp_path / "file").read_bytes() == b"whole"
    assert other.read_bytes() == b"of somebody"
    assert names(tmp_path) == {"file", "other"}


def test_one_that_somebody_is_writing_is_waited_for_by_nobody(tmp_path: Path) -> None:
    part = tmp_path / ".file.part"
    with part.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        write_whole(tmp_path / "file", b"mine")
        remove_parts(tmp_path)
        assert names(tmp_path) == {"file", ".file.part"}
    remove_parts(tmp_path)
    assert names(tmp_path) == {"file"}


def test_a_folder_in_its_place_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / ".file.part").mkdir()
    with pytest.raises(OSError, match="directory") as caught:
        write_whole(tmp_path / "file", b"new")
    assert caught.value.filename == str(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"old"


def test_what_can_not_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    import resource

    (tmp_path / "file").write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            write_whole(tmp_path / "file", b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.filename == str(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert names(tmp_path) == {"file"}


def test_many_writers_at_once_leave_one_of_their_contents_whole(tmp_path: Path) -> None:
    children = []
    for number in range(6):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for _ in range(60):
                    write_whole(tmp_path / "file", bytes([65 + number]) * 20_000)
                    content = (tmp_path / "file").read_bytes()
                    assert len(content) == 20_000
                    assert len(set(content)) == 1
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 6
    assert names(tmp_path) == {"file"}
