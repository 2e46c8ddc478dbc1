"""A document that was found valid isn't judged again while it, its schema and the gate are the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verigate.config import schemas, validation, validation_cache
from verigate.config.schemas import KINDS, load_schema, read_schema_texts
from verigate.formats.schema import Schema, find_outside_references
from verigate.user_folders import UserFolders

PLAN = b'{"code": {"order": ["code:lint"], "required": ["code:lint"], "optional": []}}'
FAULTY = b'{"code": {"order": "code:lint"}}'


@pytest.fixture
def marks(tmp_path: Path) -> Iterator[Path]:
    validation_cache.use_cache(UserFolders({"HOME": str(tmp_path)}))
    yield tmp_path / ".cache" / "verigate" / "valid"
    validation_cache.use_cache(UserFolders({}))
    validation_cache._hash_schema.cache_clear()


def judged(source: bytes, monkeypatch: pytest.MonkeyPatch, kind: str = "plan") -> tuple[int, int]:
    """How many faults a document has, and how often a schema was asked for them."""
    asked: list[str] = []
    plain = Schema.find_faults
    with monkeypatch.context() as patched:

        def find_faults(self: Schema, *arguments: Any, **options: Any) -> Any:
            asked.append("once")
            return plain(self, *arguments, **options)

        patched.setattr(Schema, "find_faults", find_faults)
        return len(validation.validate(kind, json.loads(source), source=source)), len(asked)


def test_the_second_look_at_what_is_valid_asks_no_schema(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(PLAN, monkeypatch) == (0, 1)
    assert judged(PLAN, monkeypatch) == (0, 0)
    assert [path.stat().st_size for path in marks.iterdir()] == [0]
    assert marks.stat().st_mode & 0o777 == 0o700


def test_what_is_faulty_is_judged_each_time(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(FAULTY, monkeypatch) == judged(FAULTY, monkeypatch) == (1, 1)
    assert not marks.exists()


def test_every_byte_counts(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(PLAN, monkeypatch)
    assert judged(PLAN + b"\n", monkeypatch) == (0, 1)
    assert judged(PLAN, monkeypatch, "manifest")[1] == 1
    monkeypatch.setattr(validation_cache, "__version__", "9.9.9")
    validation_cache._hash_schema.cache_clear()
    assert judged(PLAN, monkeypatch) == (0, 1)


def test_another_schema_is_another_mark(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(PLAN, monkeypatch)
    monkeypatch.setattr(validation, "read_schema_texts", lambda kind: read_schema_texts(kind) + b" ")
    assert judged(PLAN, monkeypatch) == (0, 1)


@pytest.mark.parametrize("mode", [0o720, 0o702])
def test_a_folder_that_others_can_write_to_says_nothing(
    marks: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(PLAN, monkeypatch)
    marks.chmod(mode)
    assert judged(PLAN, monkeypatch) == (0, 1)


def test_a_link_instead_of_the_folder_says_nothing(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(PLAN, monkeypatch)
    moved = marks.rename(marks.with_name("moved"))
    marks.symlink_to(moved)
    assert judged(PLAN, monkeypatch) == (0, 1)


def test_a_large_document_is_judged_each_time(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = PLAN + b" " * validation_cache.LARGEST
    assert judged(large, monkeypatch) == judged(large, monkeypatch) == (0, 1)


def test_too_many_marks_are_forgotten(marks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation_cache, "MOST_MARKS", 3)
    for number in range(7):
        judged(PLAN + b" " * number, monkeypatch)
        assert len(list(marks.iterdir())) <= 3


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}, {"XDG_CACHE_HOME": "here"}, {"HOME": "/proc/none"}])
def test_without_a_place_everything_is_judged(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    validation_cache.use_cache(UserFolders(environ))
    assert judged(PLAN, monkeypatch) == judged(PLAN, monkeypatch) == (0, 1)
    validation_cache.use_cache(UserFolders({}))


def test_marks_inside_the_repository_say_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change could commit a mark for a file that isn't valid."""
    repository = tmp_path / "repository"
    environ = {"XDG_CACHE_HOME": str(repository / ".cache")}
    validation_cache.use_cache(UserFolders(environ))
    validation_cache.mark_valid(read_schema_texts("plan"), FAULTY)
    assert judged(FAULTY, monkeypatch) == (0, 0)
    (tmp_path / "linked").symlink_to(repository)
    for caches in (environ, {"XDG_CACHE_HOME": str(tmp_path / "linked" / ".cache")}, {"HOME": str(repository)}):
        validation_cache.use_cache(UserFolders(caches, str(repository)))
        assert judged(FAULTY, monkeypatch) == (1, 1)
    assert len(list((repository / ".cache" / "verigate" / "valid").iterdir())) == 1
    validation_cache.use_cache(UserFolders({}))


@pytest.mark.parametrize("kind", KINDS)
def test_the_texts_of_a_schema_are_those_of_all_it_refers_to(kind: str) -> None:
    pending, needed = [kind], set[str]()
    while pending:
        name = pending.pop()
        needed.add(name)
        targets = {target.partition("#")[0] for target in find_outside_references(load_schema(name))}
        pending += {target.rsplit("/", 1)[1].removesuffix(".v1.json") for target in targets} - needed
    folder = Path(schemas.__file__).parent / "schemas"
    lengths = sum((folder / f"{name}.v1.schema.json").stat().st_size for name in needed)
    assert len(read_schema_texts(kind)) == lengths


HEAVY = ("click", "jsonschema_rs", "inspect", "email", "asyncio", "rich", "google")


def test_an_unchanged_verify_loads_none_of_what_it_does_not_use(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    adapter = repository / "adapters" / "facts"
    adapter.mkdir(parents=True)
    manifest = {
        "name": "facts",
        "version": "1.0.0",
        "description": "Says that all is well",
        "entry": "facts",
        "capabilities": ["facts:all"],
        "sandbox": {"tools": [], "timeout": 20, "network": False},
    }
    (adapter / "manifest.json").write_text(json.dumps(manifest))
    (adapter / "facts").write_text('#!/bin/sh\necho \'{"ok": true}\' > "$3/all.json"\n')
    (adapter / "facts").chmod(0o755)
    (repository / "config").mkdir()
    plan = {"facts": {"order": ["facts:all"], "required": ["facts:all"], "optional": []}}
    (repository / "config" / "adapter-plan.json").write_text(json.dumps(plan))
    profiles = {"facts": {"required_artifacts": ["all.json"]}}
    (repository / "config" / "verification.profiles.json").write_text(json.dumps(profiles))
    task = repository / ".artifacts" / "T1"
    task.mkdir(parents=True)
    (task / "commitment.json").write_text('{"task_id": "T1", "type": "facts"}')
    (task / "claim.json").write_text('{"task_id": "T1", "claim": {"type": "facts"}}')
    start = (sys.executable, "-I", "-X", "importtime", "-c", "from verigate.cli import main; main()")
    environ = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    loaded = []
    for _ in range(2):
        call = (*start, "verify", "T1", "--profile", "facts", "--quiet")
        done = subprocess.run(call, cwd=repository, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        names = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
        loaded.append(sorted(names & set(HEAVY)))
    assert loaded == [["email", "jsonschema_rs"], []]
