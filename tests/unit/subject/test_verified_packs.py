"""What was verified in packs isn't read again while these are the same; everything else is."""

from __future__ import annotations

import os
import shutil
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.errors import SubjectError
from verigate.subject import pack_state, verified_packs
from verigate.subject.git import Git
from verigate.subject.object_integrity import verify_objects
from verigate.subject.verified_packs import VerifiedPacks

FUTURE = time.time_ns() + 10**12
"""A moment by which every change time is settled, in nanoseconds."""


class Records:
    """Keeps records in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Mapping[str, bytes]] = {}

    def lookup(self, key: str) -> dict[str, bytes] | None:
        found = self.kept.get(key)
        return None if found is None else dict(found)

    def store(self, key: str, files: Mapping[str, bytes]) -> None:
        self.kept[key] = files


class Bench:
    """A repository whose objects are packed, and how many objects each verification of it reads in full."""

    def __init__(self, path: Path, object_format: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.repository = SampleRepository.create(path, f"--object-format={object_format}")
        for number in range(20):
            self.repository.write(f"packages/p{number}/src/a.js", f"{number}\n")
        self.repository.write("kept/a.js", "kept\n")
        self.repository.commit()
        self.repository.git("repack", "-q", "-a", "-d")
        self.records = Records()
        self.format = object_format
        self.read: list[int] = []
        monkeypatch.setattr(verified_packs, "verify_objects", self._count)

    def _count(self, git: Git, roots: Iterable[str], form: str, known: Iterable[bytes] = ()) -> frozenset[bytes]:
        found = verify_objects(git, roots, form, known)
        self.read.append(len(found))
        return found

    def verify(self, *roots: str, lasting: str = "HEAD", now: int = FUTURE) -> int:
        """Verify HEAD and what else is named, and return how many objects were read."""
        git = Git.from_root(str(self.repository.path), clean_environ())
        names: Sequence[str] = [self.repository.git("rev-parse", root) for root in ("HEAD", *roots)]
        stores = [str(self.repository.path / ".git/objects")]
        base = self.repository.git("rev-parse", lasting)
        VerifiedPacks(git, stores, self.format, self.records, lambda: now).verify(names, base)
        return self.read[-1]

    def find(self, name: str) -> Path:
        """Return the loose object of this name."""
        oid = self.repository.git("rev-parse", name)
        return self.repository.path / ".git/objects" / oid[:2] / oid[2:]

    def forge(self, name: str) -> None:
        """Put other content under the name of a loose file."""
        place = self.find(name)
        place.chmod(0o644)
        place.write_bytes(zlib.compress(b"blob 7\0forged\n"))

    @property
    def packs(self) -> list[Path]:
        return sorted((self.repository.path / ".git/objects/pack").glob("*.pack"))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path / "r", "sha1", monkeypatch)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_only_what_differs_is_read_again(object_format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path / "r", object_format, monkeypatch)
    everything = bench.verify()
    assert everything > 60
    bench.repository.write("packages/p3/src/a.js", "changed\n")
    bench.repository.git("add", "--all")
    subject = bench.repository.git("write-tree")
    # The commit, the subject's file and the four folders above it, and the folder of the base that is asked for.
    assert bench.verify(subject) <= 7
    assert bench.verify(subject) <= 7


def test_a_commit_on_top_is_read_again_and_remembered(bench: Bench) -> None:
    bench.verify()
    bench.repository.write("packages/p3/src/a.js", "changed\n")
    bench.repository.commit("more")
    assert bench.verify() <= 7
    bench.repository.write("packages/p4/src/a.js", "changed\n")
    bench.repository.commit("even more")
    assert bench.verify() <= 7
    bench.forge("HEAD:packages/p3/src/a.js")
    with pytest.raises(SubjectError, match="can't be trusted"):
        bench.verify()


def test_a_loose_object_that_was_there_at_first_is_read_again(bench: Bench) -> None:
    bench.repository.write("packages/p3/src/a.js", "changed\n")
    bench.repository.commit("loose")
    bench.verify()
    assert bench.records.kept
    bench.forge("HEAD:packages/p3/src/a.js")
    with pytest.raises(SubjectError, match="can't be trusted"):
        bench.verify()


def test_a_forged_file_of_the_subject_is_found(bench: Bench) -> None:
    bench.verify()
    bench.repository.write("packages/p3/src/a.js", "changed\n")
    bench.repository.git("add", "--all")
    subject = bench.repository.git("write-tree")
    bench.forge(f"{subject}:packages/p3/src/a.js")
    with pytest.raises(SubjectError, match="can't be trusted"):
        bench.verify(subject)


@pytest.mark.parametrize("exact", [True, False], ids=["by times", "by content"])
def test_a_pack_that_was_written_over_is_read_again(bench: Bench, monkeypatch: pytest.MonkeyPatch, exact: bool) -> None:
    monkeypatch.setattr(pack_state, "has_exact_change_times", lambda _: exact)
    bench.verify()
    assert bench.verify() <= 2
    pack = bench.packs[0]
    info, content = pack.stat(), bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 1
    pack.chmod(0o644)
    pack.write_bytes(content)
    os.utime(pack, ns=(info.st_atime_ns, info.st_mtime_ns))
    pack.chmod(info.st_mode)
    with pytest.raises(SubjectError, match="can't be trusted"):
        bench.verify()


def test_a_pack_whose_times_git_renewed_is_compared_by_content(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_state, "has_exact_change_times", lambda _: True)
    everything = bench.verify()
    os.utime(bench.packs[0], ns=(1, 1))
    assert bench.verify() <= 2
    monkeypatch.setattr(pack_state, "_MOST_BYTES", 10)
    assert bench.verify() <= 2  # the new times are remembered
    os.utime(bench.packs[0], ns=(2, 2))
    assert bench.verify() == everything


def test_with_another_pack_everything_is_read(bench: Bench) -> None:
    everything = bench.verify()
    bench.repository.write("packages/p3/src/a.js", "changed\n")
    bench.repository.commit("more")
    bench.repository.git("repack", "-q", "-d")
    assert len(bench.packs) == 2
    assert bench.verify() == everything
    assert bench.verify() <= 2


def test_an_alternate_that_is_added_is_another_state(bench: Bench, tmp_path: Path) -> None:
    bench.verify()
    one = str(bench.repository.path / ".git/objects")
    other = tmp_path / "other"
    shutil.copytree(f"{one}/pack", other / "pack")
    assert pack_state.describe_packs([one]) != pack_state.describe_packs([one, str(other)])


@pytest.mark.parametrize("change", ["too new", "no packs", "a link", "too large", "too many loose"])
def test_nothing_is_remembered_in_doubt(bench: Bench, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    if change == "no packs":
        for path in (bench.repository.path / ".git/objects/pack").iterdir():
            path.rename(bench.repository.path / path.name)
        bench.repository.git("unpack-objects", "-q", stdin=next(bench.repository.path.glob("*.pack")).read_bytes())
    if change == "a link":
        pack = bench.packs[0]
        pack.rename(bench.repository.path / "elsewhere.pack")
        pack.symlink_to(bench.repository.path / "elsewhere.pack")
    if change == "too large":
        monkeypatch.setattr(pack_state, "has_exact_change_times", lambda _: False)
        monkeypatch.setattr(pack_state, "_MOST_BYTES", 10)
    if change == "too many loose":
        monkeypatch.setattr(verified_packs, "_MOST_LOOSE", -1)
    bench.verify(now=0 if change == "too new" else FUTURE)
    assert not bench.records.kept


@pytest.mark.parametrize(
    "record", [b"", b"[]", b'{"state": 1}', b'{"state": "x", "contents": null, "tree": "y", "loose": [7]}']
)
def test_a_record_that_cant_be_read_is_none(bench: Bench, record: bytes) -> None:
    everything = bench.verify()
    bench.records.kept = {key: {"objects": record} for key in bench.records.kept}
    assert bench.verify() == everything


def test_without_the_tree_of_the_record_everything_is_read(bench: Bench) -> None:
    everything = bench.verify()
    tree = bench.repository.git("rev-parse", "HEAD^{tree}").encode()
    kept = {key: {"objects": files["objects"].replace(tree, b"1" * 40)} for key, files in bench.records.kept.items()}
    bench.records.kept = dict(kept)
    assert bench.verify() == everything


def test_what_an_index_of_a_pack_lists(bench: Bench) -> None:
    stores = [str(bench.repository.path / ".git/objects")]
    listed = bench.repository.git("rev-list", "--objects", "HEAD").splitlines()
    assert pack_state.list_packed(stores, 20) == {bytes.fromhex(line.split()[0]) for line in listed}
    index = next((bench.repository.path / ".git/objects/pack").glob("*.idx"))
    index.chmod(0o644)
    index.write_bytes(b"no index")
    assert pack_state.list_packed(stores, 20) is None
