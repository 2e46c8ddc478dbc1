"""Archives of tasks: the same bytes each time, and nothing from a hostile one."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import literal_facts as literal
import published_tasks as published
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.errors import EvidenceError
from verigate.evidence import task_archive
from verigate.evidence.store import read_published
from verigate.evidence.task_archive import pack_task, unpack_task

Change = Callable[[tarfile.TarInfo], object]


def tar_of(*members: tuple[str, bytes] | tarfile.TarInfo, form: int = tarfile.GNU_FORMAT) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=form) as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member, io.BytesIO(b"x" * member.size))
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
    return written.getvalue()


def make_member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


def files_below(folder: Path) -> dict[str, bytes]:
    found = {}
    for place, folders, names in os.walk(folder):
        assert not [name for name in (*folders, *names) if Path(place, name).is_symlink()]
        found |= {str(Path(place, name).relative_to(folder)): Path(place, name).read_bytes() for name in names}
    return found


def test_a_task_is_packed_as_the_same_bytes_and_comes_out_the_same(tmp_path: Path) -> None:
    artifacts = {**literal.GOOD, "my/ünï/" + "long" * 40 + ".json": {"a": 1}}
    published.publish_task(tmp_path, "T1", artifacts, {"tests_pass": True})
    folder = tmp_path / ".artifacts/T1"
    first = pack_task(read_published(folder))
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    (folder / "UNVERIFIED").write_text("stays")
    assert pack_task(read_published(folder)) == first
    (tmp_path / "out").mkdir()
    paths = unpack_task(io.BytesIO(first), tmp_path / "out")
    wanted = {name: content for name, content in files_below(folder).items() if name != "UNVERIFIED"}
    assert files_below(tmp_path / "out") == wanted
    assert sorted(paths) == sorted(wanted)


def test_what_is_no_plain_file_is_not_packed(tmp_path: Path) -> None:
    published.publish_task(tmp_path, "T1", literal.GOOD, {"tests_pass": True})
    claim = tmp_path / ".artifacts/T1/claim.json"
    claim.unlink()
    claim.symlink_to("/etc/passwd")
    with pytest.raises(EvidenceError, match="can't be read"):
        pack_task(read_published(tmp_path / ".artifacts/T1"))


@pytest.mark.parametrize(
    "content",
    [
        tar_of(("../out.txt", b"x")),
        tar_of(("/tmp/verigate-out.txt", b"x")),  # noqa: S108 - that it isn't written is what is tested
        tar_of(("a/../../out.txt", b"x")),
        tar_of(("./a", b"x")),
        tar_of(("a//b", b"x")),
        tar_of(("", b"x")),
        tar_of(("a", b"x"), ("a", b"y")),
        tar_of(("a", b"x"), ("a/b", b"y")),
        tar_of(("a/b", b"x"), ("a", b"y")),
        tar_of(("/".join("a" * 30), b"x")),
        tar_of(("a" * 300, b"x")),
        tar_of(make_member("a", tarfile.SYMTYPE, "/etc/passwd")),
        tar_of(make_member("a", tarfile.LNKTYPE, "/etc/passwd")),
        tar_of(make_member("a", tarfile.SYMTYPE, ".."), ("a/out.txt", b"x")),
        tar_of(make_member("a", tarfile.DIRTYPE)),
        tar_of(make_member("a", tarfile.FIFOTYPE)),
        tar_of(make_member("a", tarfile.CHRTYPE)),
        tar_of(make_member("a", tarfile.CONTTYPE, size=3)),
        tar_of(("a", b"x" * 5000))[:2000],
        tar_of(("a", b"x"))[:1024],
        tar_of(make_member("a", tarfile.GNUTYPE_LONGNAME, size=5000), ("a", b"x")),
        tar_of(*[make_member("a", tarfile.GNUTYPE_LONGNAME, size=2)] * 2, ("a", b"x")),
        tar_of(make_member("a", tarfile.GNUTYPE_LONGNAME, size=2)),
        tar_of(make_member("a", tarfile.GNUTYPE_LONGLINK, size=2), ("a", b"x")),
        tar_of(make_member("a", tarfile.GNUTYPE_SPARSE)),
        bytes(10240),
        b"\x1f\x8b" + b"\0" * 100,
        b"not tar at all" * 100,
        b"",
    ],
    ids=range(29),
)
def test_a_hostile_archive_is_refused_and_writes_nothing_elsewhere(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "in"
    place.mkdir()
    with pytest.raises(EvidenceError):
        unpack_task(io.BytesIO(content), place)
    assert [each.name for each in tmp_path.iterdir()] == ["in"]
    assert not Path("/tmp/verigate-out.txt").exists()  # noqa: S108 - as above
    files_below(place)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE])
@pytest.mark.parametrize(("content", "times"), [(b"1" * 2**20, 1), (b"", 3000), (b"11 path=ab\n", 1)])
def test_extended_headers_are_refused_unread(tmp_path: Path, kind: bytes, content: bytes, times: int) -> None:
    header = make_member("a", kind, size=len(content)).tobuf(tarfile.GNU_FORMAT)
    extended = (header + content + b"\0" * (-len(content) % 512)) * times
    began = time.process_time()
    with pytest.raises(EvidenceError, match="extended headers") as refused:
        unpack_task(io.BytesIO(extended + tar_of(("a", b"x"))), tmp_path)
    assert "--format=gnu" in str(refused.value.hint)
    # Python before 3.11.10 looks for minutes through the first (CVE-2024-6232).
    assert time.process_time() - began < 5


def test_what_gnu_tar_makes_is_read(tmp_path: Path) -> None:
    files = {"a.txt": b"x" * 700, "d/" * 10 + "ü" * 100: b"", "long" * 60: b"y" * 512}
    for name, content in files.items():
        (tmp_path / "from" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "from" / name).write_bytes(content)
    command = ["tar", "--format=gnu", "-cf", tmp_path / "a.tar", "-C", tmp_path / "from", *files]
    subprocess.run(command, check=True)
    (tmp_path / "to").mkdir()
    with (tmp_path / "a.tar").open("rb") as archive:
        assert unpack_task(archive, tmp_path / "to") == tuple(files)
    assert files_below(tmp_path / "to") == files


def test_floods_are_refused_before_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_archive, "LARGEST", 1000)
    monkeypatch.setattr(task_archive, "MOST_FILES", 3)
    for number, content in enumerate(
        (tar_of(("a", b"x" * 600), ("b", b"x" * 600)), tar_of(*((n, b"") for n in "abcd")))
    ):
        place = tmp_path / str(number)
        place.mkdir()
        with pytest.raises(EvidenceError, match="more than"):
            unpack_task(io.BytesIO(content), place)
        assert sum(map(len, files_below(place).values())) <= 1000


@given(st.integers(0, 2047), st.binary(min_size=1, max_size=12))
def test_no_changed_byte_is_more_than_an_error(
    tmp_path_factory: pytest.TempPathFactory, at: int, changed: bytes
) -> None:
    content = bytearray(tar_of(("a/b.json", b"{}"), ("ü" * 60, b"x")))
    content[at : at + len(changed)] = changed
    outer = tmp_path_factory.mktemp("changed")
    (outer / "in").mkdir()
    with contextlib.suppress(EvidenceError):
        unpack_task(io.BytesIO(bytes(content)), outer / "in")
    assert [each.name for each in outer.iterdir()] == ["in"]
    files_below(outer / "in")
