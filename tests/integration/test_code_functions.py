"""code:functions through the adapter's own entry, on real git repositories."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from change_repository import ChangeRepository, Content, change_repository, git
from literal_facts import facts
from schema_checks import check_by_schema

from verigate.domain.invariants import find_violations
from verigate.domain.task import Statement
from verigate.gate.statements import judge_statements
from verigate.statements.claims import read_statements

SCHEMA = Path(__file__).resolve().parents[2] / "src/verigate/config/schemas/functions.v1.schema.json"


def functions(tmp_path: Path, before: dict[str, Content], after: dict[str, Content], **call: Any) -> dict[str, Any]:
    return read(change_repository(tmp_path / "repo", before, after), tmp_path / "T", **call)


def read(repository: ChangeRepository, task_dir: Path, **call: Any) -> dict[str, Any]:
    outcome = repository.run("code:functions", task_dir, **call)
    assert outcome.exit_code == 0, outcome.stderr
    value: dict[str, Any] = outcome.json("functions.json")
    check_by_schema(value, json.loads(SCHEMA.read_text()))
    assert find_violations("verigate:functions.v1", value) == ()
    return value


def ids(value: dict[str, Any], group: str, change: str) -> list[str]:
    return [entry["id"] for entry in value[group][change]]


def test_added_changed_and_removed_in_six_languages(tmp_path: Path) -> None:
    before = {
        "a.py": "def keep(): return 1\ndef gone(): return 1\ndef edit(): return 1\n",
        "b.js": "function edit() { return 1 }\n",
        "c.ts": "export function edit(): number { return 1 }\n",
        "d.go": "package d\nfunc Edit() int { return 1 }\n",
        "e.rs": "fn edit() -> u8 { 1 }\n",
        "F.java": "class F { int edit() { return 1; } }\n",
        "notes.txt": "x",
    }
    after = {
        "a.py": "def keep(): return 1\ndef edit(): return 2\ndef new(): return 3\n",
        "b.js": "function edit() { return 2 }\n",
        "c.ts": "export function edit(): number { return 2 }\n",
        "d.go": "package d\nfunc Edit() int { return 2 }\n",
        "e.rs": "fn edit() -> u8 { 2 }\n",
        "F.java": "class F { int edit() { return 2; } }\n",
        "notes.txt": "y",
    }
    value = functions(tmp_path, before, after)
    assert ids(value, "functions", "added") == ["func:new"]
    assert ids(value, "functions", "removed") == ["func:gone"]
    assert ids(value, "functions", "changed") == [
        "func:F",
        "func:F.edit",
        "func:edit",
        "func:edit",
        "func:edit",
        "func:Edit",
        "func:edit",
    ]
    assert value["files_parsed"] == 6
    assert value["files_failed"] == []


def test_claimed_units_are_matched_and_the_rest_is_unclaimed(tmp_path: Path) -> None:
    after = {"a.py": '@app.get("/x/{id}")\ndef read(id): return id\n\ndef other(): return 1\n'}
    claim = {"units_list": ["endpoint:GET /x/:id", "func:reed", "func:missing", "file:a.py2"]}
    value = functions(tmp_path, {}, after, claim=claim)
    assert [(m["unit"], m["match"]) for m in value["matches"]] == [
        ("endpoint:GET /x/:id", "exact"),
        ("func:missing", "none"),
        ("func:reed", "none"),
    ]
    assert [entry["id"] for entry in value["unclaimed"]] == ["func:other"]


def test_a_renamed_file_changes_nothing_but_what_was_edited(tmp_path: Path) -> None:
    body = "".join(f"def f{n}(): return {n}\n" for n in range(20))
    value = functions(tmp_path, {"old.py": body}, {"old.py": None, "new.py": body.replace("return 7", "return 8")})
    assert value["total"] == 1
    assert ids(value, "functions", "changed") == ["func:f7"]


def test_reformatting_is_no_change(tmp_path: Path) -> None:
    value = functions(
        tmp_path, {"a.py": "def f(a, b): return a\n"}, {"a.py": "# c\ndef f(\n    a,\n    b,\n):\n    return a\n"}
    )
    assert value["total"] == 0
    assert value["files_parsed"] == 1


def test_broken_odd_and_unreadable_files_are_named(tmp_path: Path) -> None:
    after: dict[str, Content] = {
        "broken.py": "def whole(): return 1\ndef broken(:\n",
        "null.py": b"def f(): return 1\n\0",
        "big.js": "// x\n" * 600_000,
        "lib.min.js": "function a(){return 1}",
        "vendor/v.go": "package v\nfunc F() { x() }\n",
        "data.bin": bytes(range(256)),
        "latin.py": "def caf\xe9(): return 1\n".encode("latin-1"),
        "-rf.py": "def dash(): return 1\n",
        "new\nline $(x).py": "def line(): return 1\n",
        os.fsdecode(b"\xff.py"): "def byte(): return 1\n",
    }
    value = functions(tmp_path, {}, after)
    assert [entry["path"] for entry in value["files_failed"]] == ["big.js", "broken.py", "latin.py", "null.py"]
    assert value["files_skipped"] == ["lib.min.js", "vendor/v.go"]
    found = {(entry["path"], entry["name"]) for entry in value["functions"]["added"]}
    assert {("-rf.py", "dash"), ("new\nline $(x).py", "line"), ("\\xff.py", "byte"), ("broken.py", "whole")} <= found


def test_links_and_submodules_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("def secret(): return 1\n")
    repository = change_repository(tmp_path / "repo", {"a.py": "x = 1\n"}, {})
    (repository.root / "link.py").symlink_to(outside)
    git(repository.root, "add", "-A")
    value = read(repository, tmp_path / "T")
    assert value["total"] == 0
    assert value["files_skipped"] == ["link.py"]


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    after = {f"m{n}.py": f"class C{n}:\n  def f(self): return {n}\n" for n in range(9)}
    repository = change_repository(tmp_path / "repo", {}, after)
    written = []
    for name, seed in (("one", "1"), ("two", "2")):
        outcome = repository.run(
            "code:functions", tmp_path / name, environ={"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"}
        )
        written.append({p.name: p.read_bytes() for p in outcome.task_dir.iterdir()})
    assert written[0] == written[1]


def test_by_hand_the_working_tree_is_the_subject(tmp_path: Path) -> None:
    repository = change_repository(tmp_path / "repo", {"a.py": "x = 1\n"}, {})
    (repository.root / "untracked.py").write_text("def fresh(): return 1\n")
    value = read(repository, tmp_path / "T", gated=False)
    assert ids(value, "functions", "added") == ["func:fresh"]
    assert git(repository.root, "status", "--porcelain") == "?? untracked.py"


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("def keep(): return 1\n", "holds"),
        ("def keep(): return 1\ndef other(a, b): return a + b\n", "holds"),
        ("def keep(): return 1\ndef Legacy(a):\n    return a\n", "refuted"),
        ("def keep(): return 1\ndef newer(a):\n    return a\n", "unknown"),
    ],
)
def test_a_function_that_has_another_name_now_is_not_removed(tmp_path: Path, after: str, outcome: str) -> None:
    # Before: "removed" held for a function that was only renamed.
    before = "def keep(): return 1\ndef legacy(a):\n    return a\n"
    value = functions(tmp_path, {"a.py": before}, {"a.py": after})
    known = facts({}, {"functions.json": value})
    (found,) = judge_statements(known, read_statements([Statement("1", "Removed the function `legacy()`.")]))
    assert found.answer.outcome.value == outcome
