"""Whatever a stranger puts where a document belongs is told: no traceback, no wait, no pass."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from release_tests import some_always

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}

CONFIG = ("config/adapter-plan.json", "config/verification.profiles.json", "config/adapters.json")
COMMITMENT = ".artifacts/T1/commitment.json"
CLAIM = ".artifacts/T1/claim.json"
MANIFEST = "adapters/facts/manifest.json"
CURRENT = ".artifacts/current"
DOCUMENTS = (*CONFIG, COMMITMENT, CLAIM, MANIFEST, CURRENT)


def as_bytes(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def truncated(path: Path) -> None:
    content = path.read_bytes() if path.exists() else b'{"a": [1, 2'
    path.write_bytes(content[: max(len(content) // 2, 1)])


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def link(target: str) -> Callable[[Path], object]:
    def act(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return act


SHAPES: dict[str, Callable[[Path], object]] = {
    "empty": as_bytes(b""),
    "blank": as_bytes(b"  \n"),
    "truncated": truncated,
    "binary": as_bytes(bytes(range(256))),
    "not UTF-8": as_bytes(b'{"task_id": "\xff\xfe"}'),
    "null": as_bytes(b"null"),
    "number": as_bytes(b"1e400"),
    "string": as_bytes(b'"x"'),
    "array": as_bytes(b"[]"),
    "array of objects": as_bytes(b"[{}, []]"),
    "wrong types": as_bytes(b'{"task_id": 1, "type": [], "claim": 3, "name": {}, "facts": "x", "capabilities": {}}'),
    "nested wrongly": as_bytes(b'{"facts": {"order": {"a": 1}, "required": [[]], "extends": {}, "rules": [1]}}'),
    "deep": as_bytes(b'{"a":' * 20_000 + b"1" + b"}" * 20_000),
    "repeated key": as_bytes(b'{"task_id": "T1", "task_id": "T2"}'),
    "NaN": as_bytes(b'{"task_id": NaN}'),
    "huge": as_bytes(b'{"a": "' + b"x" * 5_000_000 + b'"}'),
    "many faults": as_bytes(json.dumps({f"k{i}": {"nope": i} for i in range(500)}).encode()),
    "control characters": as_bytes(b'{"task_id\\u001b[2J": "\\u0000\\u202e"}'),
    "folder": folder,
    "pipe": pipe,
    "link to nothing": link("gone"),
    "circle": link("."),
    "link out": link("/etc/hostname"),
    "device": link("/dev/zero"),
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> gr.GatedRepository:
    """A task that passes; every test works on a copy."""
    found = gr.make(tmp_path_factory.mktemp("template"), CODE, {"tests_pass": True})
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    found.put(CURRENT, "T1\n")
    done = found.verify()
    assert done.code == 0, done.output
    return found


@pytest.fixture
def repository(template: gr.GatedRepository, tmp_path: Path) -> gr.GatedRepository:
    return template.copy(tmp_path)


def check_told(done: gr.Done) -> None:
    assert "internal error" not in done.err, done.output
    assert "\x1b" not in done.err, "what is shown can't act on the terminal"
    if done.code in {2, 3} and "gate: " in done.err:
        lines = done.err.splitlines()
        assert any(line.startswith("gate: ") for line in lines), done.output
        assert len(lines) >= 2, "what happened and where"
        assert len(done.err) < 20_000


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("shape", some_always(SHAPES, str))
def test_a_document_of_any_shape(repository: gr.GatedRepository, document: str, shape: str) -> None:
    path = repository.root / document
    SHAPES[shape](path)
    done = repository.gate("verify", *([] if document == CURRENT else ["T1"]), "--quiet", "--json")
    check_told(done)
    # Only what can't be read as a promise or a policy ends the command; a broken claim is a finding.
    if document == CLAIM:
        assert done.code in {1, 4}, done.output
        assert done.json["reasons"][0]["code"] in {"CLAIM_INVALID", "MISSING_CLAIM"}
        return
    if document == CURRENT and "is left aside" in done.err:
        # A well-formed id of a task that isn't there, as after a change of branches.
        assert (done.code, shape in {"truncated", "null", "number"}) == (0, True), done.output
        return
    if done.code == 0:
        # git has no pipes, and a folder or a link that leads out of the adapters is nobody's manifest.
        assert shape in {"folder", "pipe", "link to nothing", "circle", "link out", "device"}, done.output
        assert document not in {COMMITMENT, CURRENT}, done.output
        return
    assert done.code in {1, 2, 3}, done.output
    if done.code == 2:
        fault = done.json["faults"][0]
        assert done.json["schema"] == "verigate:error.v1"
        assert fault["message"]
        assert fault["file"]
        assert str(repository.tmp) not in fault["file"], "a private folder is no place to look"


@pytest.mark.parametrize("document", [CLAIM, COMMITMENT])
def test_a_promise_or_a_claim_behind_a_link_counts_for_nothing(repository: gr.GatedRepository, document: str) -> None:
    """Though what it leads to is word for word what was accepted before."""
    path = repository.root / document
    path.rename(path.with_name("other.json"))
    path.symlink_to("other.json")
    done = repository.gate("verify", "T1", "--quiet")
    assert done.code == (1 if document == CLAIM else 2), done.output
    assert "it is a symbolic link" in done.out + done.err


@pytest.mark.release
@pytest.mark.slow
@pytest.mark.parametrize("name", ["artifacts.json", "run.json", "verdict.json", "tests.json"])
@pytest.mark.parametrize("shape", some_always(SHAPES, str))
def test_published_evidence_of_any_shape(repository: gr.GatedRepository, name: str, shape: str) -> None:
    SHAPES[shape](repository.root / ".artifacts/T1" / name)
    for command in ("show", "replay"):
        done = repository.gate(command, "T1", "--json")
        check_told(done)
        assert done.code == 3, done.output
        assert done.json["code"] == "EVIDENCE"
        assert "not verified" in done.json["faults"][0]["message"]
        assert done.json["faults"][0]["hint"] == "run `gate verify T1`"
    again = repository.verify()
    assert again.code == 0, again.output
    assert repository.gate("replay", "T1").code == 0


PLACES: dict[str, Callable[[Path], object]] = {
    ".artifacts is a file": lambda root: (shutil.rmtree(root / ".artifacts"), (root / ".artifacts").write_text("x")),
    ".artifacts is a link": lambda root: (
        (root / ".artifacts").rename(root.parent / "moved"),
        (root / ".artifacts").symlink_to(root.parent / "moved"),
    ),
    "the task is a link": lambda root: (
        (root / ".artifacts/T1").rename(root.parent / "moved"),
        (root / ".artifacts/T1").symlink_to(root.parent / "moved"),
    ),
    "the task is a file": lambda root: (
        shutil.rmtree(root / ".artifacts/T1"),
        (root / ".artifacts/T1").write_text("x"),
    ),
    "the locks are a file": lambda root: (
        shutil.rmtree(root / ".artifacts/.locks"),
        (root / ".artifacts/.locks").write_text("x"),
    ),
    "the lock is a link": lambda root: (
        (root / ".artifacts/.locks/T1").unlink(),
        (root / ".artifacts/.locks/T1").symlink_to(root.parent / "elsewhere"),
    ),
    "the lock is a pipe": lambda root: (
        (root / ".artifacts/.locks/T1").unlink(),
        os.mkfifo(root / ".artifacts/.locks/T1"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_places_that_are_not_what_they_should_be(repository: gr.GatedRepository, name: str, tmp_path: Path) -> None:
    PLACES[name](repository.root)
    done = repository.gate("verify", "T1", "--quiet", "--json")
    check_told(done)
    assert done.code in {2, 3}, done.output
    assert done.json["schema"] == "verigate:error.v1"
    assert done.json["faults"][0]["file"]
    assert not (tmp_path / "elsewhere").exists()


def test_every_command_on_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    plain = gr.GatedRepository(gr.SampleRepository(tmp_path / "plain"), tmp_path / "home")
    plain.tmp.mkdir(parents=True)
    plain.root.mkdir()
    for arguments, codes in (
        (("list",), {0}),
        (("show",), {2}),
        (("show", "T1"), {2}),
        (("replay",), {2}),
        (("explain",), {2}),
        (("claim", "file:a"), {2}),
        (("verify", "T1"), {2}),
        (("verify", "--staged"), {2}),
        (("install",), {2, 3}),
        (("adapters",), {0}),
        (("plan", "--staged"), {2}),
    ):
        done = plain.gate(*arguments)
        check_told(done)
        assert done.code in codes, (arguments, done.output)
