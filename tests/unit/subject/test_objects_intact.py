from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.domain.subject import SubjectKind
from verigate.errors import SubjectError
from verigate.subject.workspace import open_workspace


def put_under(repository: SampleRepository, name: str, kind: str, content: bytes) -> None:
    """Make the object ``name`` hold ``content``."""
    oid = repository.git("rev-parse", name)
    place = repository.path / ".git" / "objects" / oid[:2] / oid[2:]
    place.chmod(0o644)
    place.write_bytes(zlib.compress(f"{kind} {len(content)}".encode() + b"\0" + content))


def tree_of(repository: SampleRepository, name: str) -> bytes:
    oid = repository.git("rev-parse", name)
    raw = zlib.decompress((repository.path / ".git" / "objects" / oid[:2] / oid[2:]).read_bytes())
    return raw.partition(b"\0")[2]


def made(path: Path, object_format: str) -> SampleRepository:
    sample = SampleRepository.create(path, f"--object-format={object_format}")
    sample.write("folder/kept", "1\n")
    sample.write("folder/changed", "1\n")
    sample.write(".artifacts/T1/commitment.json", "{}\n")
    sample.commit()
    sample.write("folder/changed", "2\n")
    (sample.path / "link").symlink_to("folder")
    return sample


@pytest.fixture
def repository(tmp_path: Path) -> SampleRepository:
    return made(tmp_path / "r", "sha1")


def checked_out(repository: SampleRepository, kind: SubjectKind = SubjectKind.WORKTREE, ref: str | None = None) -> None:
    with open_workspace(repository.path, kind=kind, ref=ref, environ=clean_environ()) as workspace:
        workspace.checkout(0)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_what_git_wrote_is_what_it_says(object_format: str, tmp_path: Path) -> None:
    repository = made(tmp_path / "r", object_format)
    checked_out(repository)
    repository.git("gc", "--quiet")
    checked_out(repository, SubjectKind.COMMIT, "HEAD")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("HEAD:folder/kept", b"2\n"),
        ("HEAD:folder/changed", b"2\n"),
        ("HEAD:.artifacts/T1/commitment.json", b"[]\n"),
    ],
    ids=["of the subject", "of the base", "of what was committed to"],
)
def test_another_content_under_the_name_of_a_file(repository: SampleRepository, name: str, content: bytes) -> None:
    put_under(repository, name, "blob", content)
    with pytest.raises(SubjectError, match="can't be trusted"):
        checked_out(repository)


def test_another_folder_under_the_name_of_the_bases(repository: SampleRepository) -> None:
    """Without ``changed`` in it, the base would never have had what the change removes or weakens."""
    tree = tree_of(repository, "HEAD:folder")
    put_under(repository, "HEAD:folder", "tree", tree[tree.index(b"100644 kept") :])
    with pytest.raises(SubjectError, match="can't be trusted"):
        checked_out(repository)


def test_another_commit_under_the_name_of_the_base(repository: SampleRepository) -> None:
    empty = repository.git("hash-object", "-t", "tree", "-w", "--stdin")
    text = repository.git("cat-file", "commit", "HEAD").replace(repository.git("rev-parse", "HEAD^{tree}"), empty)
    put_under(repository, "HEAD", "commit", f"{text}\n".encode())
    with pytest.raises(SubjectError, match="HEAD names can't be read"):
        checked_out(repository)


def test_a_head_without_its_commit_is_no_unborn_branch(repository: SampleRepository) -> None:
    oid = repository.git("rev-parse", "HEAD")
    (repository.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(SubjectError, match="HEAD names can't be read"):
        checked_out(repository)
    repository.git("symbolic-ref", "HEAD", "refs/heads/other")
    checked_out(repository)


def test_another_content_in_a_submodule(repository: SampleRepository, tmp_path: Path) -> None:
    inner = SampleRepository.create(tmp_path / "inner")
    inner.write("a", "1\n")
    inner.commit()
    repository.git("submodule", "--quiet", "add", str(inner.path), "inner")
    checked_out(repository)
    cloned = SampleRepository(repository.path / ".git" / "modules" / "inner")
    oid = cloned.git("rev-parse", "HEAD:a")
    place = cloned.path / "objects" / oid[:2] / oid[2:]
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.write_bytes(zlib.compress(b"blob 2\0002\n"))
    with pytest.raises(SubjectError, match="can't be trusted"):
        checked_out(repository)


def test_a_base_with_the_content_of_the_subject_is_looked_at_though_nothing_differs(tmp_path: Path) -> None:
    repository = made(tmp_path / "r", "sha1")
    repository.commit("more")
    put_under(repository, "HEAD^^{tree}", "tree", tree_of(repository, "HEAD^{tree}"))
    with (
        pytest.raises(SubjectError, match="its content doesn't match its name"),
        open_workspace(repository.path, kind=SubjectKind.COMMIT, ref="HEAD", environ=clean_environ()),
    ):
        pass


def test_an_index_over_packs_is_not_read(tmp_path: Path) -> None:
    repository = made(tmp_path / "r", "sha1")
    repository.commit("more")
    repository.git("repack", "-q", "-a", "-d")
    repository.git("multi-pack-index", "write")
    index = repository.path / ".git/objects/pack/multi-pack-index"
    index.chmod(0o644)
    index.write_bytes(b"MIDX" + bytes(100))
    checked_out(repository, SubjectKind.COMMIT, "HEAD")
