"""What a worker delivers: bundles that it takes, and results that the gate lets through or not. With real git."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from repositories import Repository

from verigate import __version__
from verigate.composition import now
from verigate.domain.verification_job import Job, JobSettings
from verigate.errors import EvidenceError, GateError, SubjectError
from verigate.usecases.fleet.adopt import adopt
from verigate.usecases.fleet.mirror import BundleMaker, Mirror
from verigate.usecases.fleet.packing import pack, unpack
from verigate.usecases.fleet.reports import JOB_FILE, REPORT_FILE, Assignment, WorkerReport, decode_report
from verigate.usecases.fleet.sealed_results import Expected, read_result, read_sealed

_PLAN = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
_WORKER = "from verigate.cli.fleet_worker import main; main()"


@pytest.fixture(scope="module", name="repository")
def _repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repository = Repository.make(tmp_path_factory.mktemp("delivered"))
    rule = {"id": "few", "expr": 'artifacts["diff.json"].total_changes <= 1', "message": "more than one file"}
    profiles = json.dumps({"code_default": {"rules": [rule]}})
    config = {"config/adapter-plan.json": json.dumps(_PLAN), "config/verification.profiles.json": profiles}
    repository.commit({**config, "big": os.urandom(200_000)}, "Begin")
    repository.commit({"a.md": "# A\n"}, "Add A")
    repository.commit({"b.md": "# B\n"}, "Add B")
    return repository


def commit(repository: Repository, name: str) -> str:
    return repository.git("rev-parse", name)


def environ(repository: Repository) -> dict[str, str]:
    return dict(repository._environment())


@pytest.fixture(scope="module", name="delivered")
def _delivered(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Job]:
    """The folder of a worker that has verified HEAD, and its job."""
    folder = tmp_path_factory.mktemp("worker")
    job = Job("head", ref=commit(repository, "HEAD"), alone=True)
    (folder / JOB_FILE).write_bytes(msgspec.json.encode(Assignment(__version__, job, JobSettings())))
    argv = (sys.executable, "-P", "-c", _WORKER, str(os.getpid()), str(folder))
    done = subprocess.run(
        argv, cwd=repository.root, env=environ(repository), capture_output=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return folder, job


def expected(repository: Repository, **more: Any) -> Expected:
    return Expected(lambda name: repository.git("rev-parse", f"{name}^{{tree}}"), **more)


def copy(delivered: tuple[Path, Job], place: Path) -> Path:
    shutil.copytree(delivered[0], place)
    return place


def test_what_a_worker_delivers_is_published_with_its_evidence(
    repository: Repository, delivered: tuple[Path, Job], tmp_path: Path
) -> None:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    unpack(pack(delivered[0]), folder)
    ended = read_result(7, folder, delivered[1], expected(repository, settles_policy=True))
    assert ended.delivery is not None, ended
    sealed = ended.delivery.value
    assert sealed.verdict.status.value == "pass"
    assert adopt(repository.root, environ(repository), sealed.published, now) == ()
    assert repository.gate("replay", "implicit").exit_code == 0
    assert repository.git("log", "--format=%s", "refs/verigate/verdicts/implicit") == "Verdict 1 of implicit: pass"
    one, other = (place / ".artifacts" / "implicit" for place in (folder, repository.root))
    assert {path.name: path.read_bytes() for path in one.iterdir() if path.is_file()} == {
        path.name: path.read_bytes() for path in other.iterdir() if path.is_file()
    }


def _verdict(folder: Path) -> Path:
    return folder / ".artifacts" / "implicit" / "verdict.json"


def test_a_verdict_that_was_edited_does_not_count(
    repository: Repository, delivered: tuple[Path, Job], tmp_path: Path
) -> None:
    folder = copy(delivered, tmp_path / "edited")
    document = json.loads(_verdict(folder).read_bytes())
    document["status"] = "fail"
    _verdict(folder).write_text(json.dumps(document))
    ended = read_result(0, folder, delivered[1], expected(repository))
    assert (ended.delivery, ended.is_final) == (None, True)
    assert "does not follow from its evidence" in ended.failure


def test_evidence_that_was_edited_does_not_count(
    repository: Repository, delivered: tuple[Path, Job], tmp_path: Path
) -> None:
    folder = copy(delivered, tmp_path / "edited")
    (_verdict(folder).parent / "diff.json").write_text("{}")
    with pytest.raises(EvidenceError, match="has changed since the verdict"):
        read_sealed(folder, delivered[1], expected(repository))


def test_a_verdict_of_something_else_does_not_count(repository: Repository, delivered: tuple[Path, Job]) -> None:
    folder, job = delivered
    other = Job("other", ref=commit(repository, "HEAD~1"), alone=True)
    for wrong, wants, said in (
        (other, expected(repository), "and not the tree of the commit"),
        (Job("tree"), expected(repository), "its subject is a commit"),
        (Job("based", ref=job.ref, base="0" * 40), expected(repository), "and not with"),
        (job, expected(repository, policy_commit="1" * 40), "its policy is of None, and not of"),
        (job, expected(repository, policy_digest="1" * 64), "has other files than the ref"),
    ):
        with pytest.raises(EvidenceError, match=said):
            read_sealed(folder, wrong, wants)


def test_a_commitment_never_comes_with_a_result(
    repository: Repository, delivered: tuple[Path, Job], tmp_path: Path
) -> None:
    import hashlib

    folder = copy(delivered, tmp_path / "forged")
    place = _verdict(folder).parent
    content = b'{"schema": "verigate:commitment.v1"}'
    (place / "commitment.json").write_bytes(content)
    index = json.loads((place / "artifacts.json").read_bytes())
    entry = {**index["files"][-1], "path": "commitment.json", "sha256": hashlib.sha256(content).hexdigest()}
    index["files"] = sorted([*index["files"], entry], key=lambda each: str(each["path"]))
    (place / "artifacts.json").write_text(json.dumps(index, indent=2, sort_keys=True) + "\n")
    lines = [f"{each['sha256']}  {each['path']}\n" for each in index["files"]]
    (place / "checksums.sha256").write_text("".join(lines))
    document = json.loads(_verdict(folder).read_bytes())
    document["metadata"]["index_sha256"] = hashlib.sha256((place / "artifacts.json").read_bytes()).hexdigest()
    _verdict(folder).write_text(json.dumps(document))
    sealed = read_sealed(folder, delivered[1], expected(repository))
    assert sealed.published is not None
    with pytest.raises(EvidenceError, match="which no run publishes"):
        adopt(repository.root, environ(repository), sealed.published, now)
    assert not (repository.root / ".artifacts" / "implicit" / "commitment.json").exists()


@pytest.mark.parametrize(
    ("content", "is_final"),
    [
        (b'{"task": null, "problem": "no such commit", "exit_code": 2}', True),
        (b'{"task": null, "problem": "it is locked", "exit_code": 3}', False),
        (b'{"task": null, "problem": "", "more": 1}', True),
        (b"{", True),
        (b'"' + b"x" * 70_000 + b'"', True),
    ],
)
def test_a_report_without_a_verdict(
    repository: Repository, delivered: tuple[Path, Job], tmp_path: Path, content: bytes, is_final: bool
) -> None:
    (tmp_path / REPORT_FILE).write_bytes(content)
    ended = read_result(0, tmp_path, delivered[1], expected(repository))
    assert (ended.delivery, ended.is_final) == (None, is_final)
    assert ended.failure


def test_nothing_to_verify_is_a_result(repository: Repository, delivered: tuple[Path, Job], tmp_path: Path) -> None:
    (tmp_path / REPORT_FILE).write_bytes(msgspec.json.encode(WorkerReport()))
    ended = read_result(0, tmp_path, delivered[1], expected(repository))
    assert ended.delivery is not None
    assert ended.delivery.value.verdict is None
    assert decode_report(b"{}") == WorkerReport()


def _tar(*members: tuple[str, bytes, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            member.size = len(content)
            member.linkname = "/etc/passwd"
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


ARCHIVES = {
    "nothing": b"",
    "no archive": b"no archive",
    "a part": _tar(("report.json", tarfile.REGTYPE, b"{}"))[:-30],
    "above": _tar(("../report.json", tarfile.REGTYPE, b"{}")),
    "absolute": _tar(("/report.json", tarfile.REGTYPE, b"{}")),
    "above within": _tar((".artifacts/../../x", tarfile.REGTYPE, b"{}")),
    "a symbolic link": _tar((".artifacts/x", tarfile.SYMTYPE, b"")),
    "a link": _tar((".artifacts/x", tarfile.LNKTYPE, b"")),
    "a pipe": _tar((".artifacts/x", tarfile.FIFOTYPE, b"")),
    "settings of git": _tar((".git/config", tarfile.REGTYPE, b"[core]")),
    "twice": _tar(("report.json", tarfile.REGTYPE, b"{}"), ("report.json", tarfile.REGTYPE, b"{}")),
}


@pytest.mark.parametrize("content", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_that_no_worker_sends_is_refused(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with pytest.raises(EvidenceError):
        unpack(content, folder)
    assert not (tmp_path / "report.json").exists()
    assert not (tmp_path / "x").exists()


def test_an_archive_that_expands_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verigate.usecases.fleet.packing.MOST_BYTES", 1000)
    with pytest.raises(EvidenceError, match="more than"):
        unpack(_tar((".artifacts/x", tarfile.REGTYPE, b"0" * 2000)), tmp_path)


def test_a_mirror_is_sent_what_it_lacks_alone(repository: Repository, tmp_path: Path) -> None:
    env = {**environ(repository), "HOME": str(tmp_path)}
    first, last = commit(repository, "HEAD~2"), commit(repository, "HEAD")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    old = BundleMaker(repository.root, env, tmp_path / "one", [first])
    new = BundleMaker(repository.root, env, tmp_path / "two", [last])
    assert old.key == new.key
    mirror = Mirror(old.key, old.object_format, env)
    assert mirror.list_haves() == ()
    assert mirror.lacks([first])
    whole = old.make(mirror.list_haves())
    mirror.take(whole, old.tips)
    assert not mirror.lacks([first])
    thin = new.make(mirror.list_haves())
    assert len(whole) > 200_000
    assert len(thin) < 5_000
    with pytest.raises(GateError):
        mirror.take(thin[:-40], new.tips)
    assert mirror.lacks([last])
    mirror.take(thin, new.tips)
    assert not mirror.lacks([first, last])
    assert new.make(mirror.list_haves()) == b""
    # What a stranger's mirror claims to have is of no use to anybody.
    assert len(new.make(["f" * 40, "--all", "HEAD"])) > 200_000
    root = tmp_path / "tree" / "repo"
    with mirror.open_tree(root, last):
        listed = subprocess.run(
            ("git", "-C", str(root), "ls-tree", "--name-only", "HEAD"), capture_output=True, check=True, env=env
        )
        assert b"b.md" in listed.stdout
    assert not root.exists()


def test_a_bundle_without_what_it_builds_on_is_refused(repository: Repository, tmp_path: Path) -> None:
    env = {**environ(repository), "HOME": str(tmp_path)}
    (tmp_path / "one").mkdir()
    maker = BundleMaker(repository.root, env, tmp_path / "one", [commit(repository, "HEAD")])
    thin = maker.make([commit(repository, "HEAD~1")])
    mirror = Mirror(maker.key, maker.object_format, env)
    with pytest.raises(SubjectError):
        mirror.take(thin, maker.tips)
    assert mirror.list_haves() == ()
    with pytest.raises(SubjectError, match="no id"):
        mirror.take(thin, ["--upload-pack=x"])


def test_a_mirror_has_no_name_of_a_strangers_choice(repository: Repository, tmp_path: Path) -> None:
    for key in ("../x", "x" * 64, ""):
        with pytest.raises(GateError):
            Mirror(key, "sha1", {**environ(repository), "HOME": str(tmp_path)})


def test_a_shallow_clone_is_not_sent(repository: Repository, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.root}", str(clone))
    with pytest.raises(SubjectError, match="shallow"):
        BundleMaker(clone, environ(repository), tmp_path, [commit(repository, "HEAD")])


def test_an_interruption_waits_until_a_task_is_published_as_a_whole(
    repository: Repository, delivered: tuple[Path, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    from verigate.usecases.fleet import adopt as module

    def interrupt(*arguments: Any) -> tuple[str, ...]:
        os.kill(os.getpid(), signal.SIGINT)
        return publish(*arguments)

    publish = module._publish
    monkeypatch.setattr(module, "_publish", interrupt)
    sealed = read_sealed(delivered[0], delivered[1], expected(repository))
    assert sealed.published is not None
    with pytest.raises(KeyboardInterrupt):
        adopt(repository.root, environ(repository), sealed.published, now)
    assert repository.gate("replay", "implicit").exit_code == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
