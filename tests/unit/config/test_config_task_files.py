from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verigate.config import task_files
from verigate.config.measured import is_measured_name
from verigate.config.task_files import ClaimReading, read_claim, read_commitment
from verigate.domain.task import Scope, Statement
from verigate.errors import ConfigError


def _claim(folder: Path, document: Any, task_type: str = "code") -> ClaimReading:
    path = folder / "claim.json"
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document, indent=1).encode())
    return read_claim(path, "T_test", task_type, folder)


def _of(**claim: Any) -> dict[str, Any]:
    return {"task_id": "T_test", "claim": {"type": "code", **claim}}


def _commitment(folder: Path, document: Any) -> Path:
    path = folder / "commitment.json"
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document, indent=1).encode())
    return path


# --- commitment


def test_the_smallest_commitment_is_valid(tmp_path: Path) -> None:
    reading = read_commitment(_commitment(tmp_path, {"task_id": "T_test", "type": "code"}), "T_test")
    assert (reading.commitment.task_id, reading.commitment.type, reading.warnings) == ("T_test", "code", ())
    assert reading.commitment.scope == Scope()


def test_a_whole_commitment_is_read(tmp_path: Path) -> None:
    document = {
        "task_id": "T_test",
        "type": "code",
        "profile": "code_strict",
        "user_instruction": "do it",
        "base": "0" * 40,
        "source": {"any": ["thing"]},
        "context": "more",
        "commitments": {
            "expected_total": 2,
            "scope": {
                "files": ["a b.py"],
                "functions": ["f"],
                "endpoints": ["GET /x"],
                "target_url": "http://x/",
                "fixes": ["t"],
            },
            "quality": {"coverage_min": 0.8},
        },
        "requirements": {"functions": ["g"], "endpoints": ["/y"]},
    }
    reading = read_commitment(_commitment(tmp_path, document), "T_test")
    found = reading.commitment
    assert reading.warnings == ()
    assert found.scope == Scope(("a b.py",), ("f",), ("GET /x",), None, "http://x/", ("t",))
    assert (found.profile, found.base, found.expected_total) == ("code_strict", "0" * 40, 2)
    assert (found.quality, found.required_functions, found.required_endpoints) == (
        {"coverage_min": 0.8},
        ("g",),
        ("/y",),
    )
    assert found.document == document


def test_unknown_keys_of_a_commitment_are_warnings_with_the_nearest_key(tmp_path: Path) -> None:
    document = {"task_id": "T_test", "type": "code", "commitments": {"quality": {"coverge_min": 1}, "scop": {}}}
    warnings = read_commitment(_commitment(tmp_path, document), "T_test", tmp_path).warnings
    assert [str(warning) for warning in warnings] == [
        "commitment.json:6 /commitments/quality/coverge_min: unknown key 'coverge_min' (did you mean 'coverage_min'?)",
        "commitment.json:8 /commitments/scop: unknown key 'scop' (did you mean 'scope'?)",
    ]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"task_id": "other", "type": "code"}, "the commitment of the task other"),
        ({"task_id": "../x", "type": "code"}, "not of the form"),
        ({"task_id": "T_test\n", "type": "code"}, "not of the form"),
        ({"task_id": "T_test"}, "'type' is missing"),
        ({"task_id": "T_test", "type": "code", "base": "--upload-pack=x"}, "not of the form"),
        ({"task_id": "T_test", "type": "code", "commitments": {"quality": {"coverage_min": 80}}}, "write 0.8"),
        ({"task_id": "T_test", "type": "code", "commitments": {"quality": {"rules": []}}}, "belongs in a profile"),
        ({"task_id": "T_test", "type": "code", "commitments": {"quality": {"allow_policy_change": True}}}, "profile"),
        ({"task_id": "T_test", "type": "code", "requirements": {"functions": 3}}, "must be an array"),
        ([], "must be an object"),
        (b'{"task_id": "T_test", "task_id": "T_test", "type": "code"}', "already has a member"),
        (b"\xff", "not UTF-8"),
        (b" " * (4 * 1024 * 1024 + 1), "larger than"),
    ],
)
def test_a_commitment_that_can_not_be_used_ends_the_command(tmp_path: Path, document: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_commitment(_commitment(tmp_path, document), "T_test")
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_missing_commitment_says_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gate start T_test"):
        read_commitment(tmp_path / "commitment.json", "T_test")


# --- claim


def test_no_claim_is_neither_a_claim_nor_a_fault(tmp_path: Path) -> None:
    assert read_claim(tmp_path / "claim.json", "T_test", "code") == ClaimReading(None)


def test_the_smallest_claim_is_valid(tmp_path: Path) -> None:
    reading = _claim(tmp_path, _of())
    assert reading.claim is not None
    assert (reading.claim.type, reading.claim.unit_ids, reading.faults, reading.warnings) == ("code", None, (), ())


def test_the_older_shape_is_read(tmp_path: Path) -> None:
    reading = _claim(
        tmp_path,
        {
            "schema": "claim.v1",
            "actor": "someone",
            "task_id": "T_test",
            "timestamp": "2024-01-01T00:00:00Z",
            "claimed": {"units_total": 2, "units_list": ["func:a", "b.py"], "scope": {"repo_root": "/r"}},
            "declared": {"files": ["b.py"]},
            "scope": {"repo_root": "/r"},
        },
    )
    assert reading.faults == reading.warnings == ()
    assert reading.claim is not None
    assert reading.claim.unit_ids == ("func:a", "b.py")
    assert (reading.claim.type, reading.claim.actor, reading.claim.units_total) == ("code", "someone", 2)


def test_statements_have_ids_by_position_unless_they_bring_one(tmp_path: Path) -> None:
    statements = ["47 tests pass", {"text": "fast"}, {"id": "S", "text": "x"}, {"id": "statement:9", "text": "y"}]
    reading = _claim(tmp_path, _of(statements=statements, units_list=["statement:1", "statement:S"]))
    assert reading.faults == ()
    assert reading.claim is not None
    assert reading.claim.statements == (
        Statement("statement:1", "47 tests pass"),
        Statement("statement:2", "fast"),
        Statement("statement:S", "x"),
        Statement("statement:9", "y"),
    )


@pytest.mark.parametrize(
    ("document", "pointer", "message"),
    [
        ({"task_id": "other", "claim": {"type": "code"}}, "/task_id", "the claim of the task other"),
        (_of(type="docs"), "/claim/type", "about 'docs'"),
        ({**_of(), "type": "docs"}, "/type", "about 'docs'"),
        ({**_of(), "claimed": {}}, "/claimed", "both claim and claimed"),
        ({"task_id": "T_test"}, "", "'claim' is missing"),
        (_of(units_total=3, units_list=["a"]), "/claim/units_total", "units_list has 1 entries"),
        (_of(units_list=["a", "a"]), "/claim/units_list/1", "there already"),
        (_of(units_list=["func:a", "function: a()"]), "/claim/units_list/1", "there already"),
        (_of(units_list=["endpoint:get /x", "ep:GET /x"]), "/claim/units_list/1", "there already"),
        (_of(units_list=["func:"]), "/claim/units_list/0", "names nothing"),
        (_of(units_list=[""]), "/claim/units_list/0", "empty"),
        (_of(units_list=["statement:2"], statements=["x"]), "/claim/units_list/0", "names no statement"),
        (_of(units_list="a"), "/claim/units_list", "must be an array"),
        (_of(units_total=-1), "/claim/units_total", "at least 0"),
        (_of(statements=["  "]), "/claim/statements/0", "says nothing"),
        (_of(statements=["x", {"id": "1", "text": "y"}]), "/claim/statements/1/id", "two statements"),
        (_of(statements=[{"id": "a"}]), "/claim/statements/0", "'text' is missing"),
        (_of(coverage=0.9), "/claim/coverage", "measured fact"),
        (_of(declared={"runs": [{"testsPassed": 47}]}), "/claim/declared/runs/0/testsPassed", "measured fact"),
        ({**_of(), "actor": {"x": {"duration-ms": 1}}}, "/actor/x/duration-ms", "measured fact"),
        ({**_of(), "statuses": {}}, "/statuses", "measured fact"),
        ([], "", "must be an object"),
    ],
)
def test_a_claim_that_can_not_be_used_is_a_finding_about_the_claim(
    tmp_path: Path, document: Any, pointer: str, message: str
) -> None:
    reading = _claim(tmp_path, document)
    assert reading.claim is None
    assert any((fault.pointer or "") == pointer and message in fault.message for fault in reading.faults)
    assert all(fault.file == "claim.json" and fault.line for fault in reading.faults)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b"[" * 100_000, b'{"task_id": NaN}', b"null", b'"text"', b" " * (4 * 1024 * 1024 + 1)],
)
def test_an_unreadable_claim_is_a_finding_too(tmp_path: Path, content: bytes) -> None:
    reading = _claim(tmp_path, content)
    assert reading.claim is None
    assert reading.faults


def test_a_claim_that_is_a_pipe_or_a_folder_is_a_finding_and_no_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    for name in ("pipe.json", "folder.json"):
        reading = read_claim(tmp_path / name, "T_test", "code")
        assert [fault.message for fault in reading.faults] == ["it is not a regular file"]


def test_numbers_in_prose_are_no_measured_facts(tmp_path: Path) -> None:
    reading = _claim(tmp_path, _of(units_total=47, statements=["47 tests passed, coverage is 93 %"]))
    assert reading.faults == ()


def test_unknown_keys_of_a_claim_are_warnings(tmp_path: Path) -> None:
    reading = _claim(tmp_path, {**_of(unit_list=[]), "declared": {"anything": 1}})
    assert reading.claim is not None
    assert [warning.hint for warning in reading.warnings] == ["did you mean 'units_list'?"]


MEASURED = (
    "coverage coverage_pct lineCoverage COVERAGE tests_passed testsPassed tests-passed passed failed test_count "
    "statuses status_code word_count wordCount duration duration_ms latency_ms p95 "
    "exit_code exitCode lint_errors elapsed lint_fixed tests_updated testsAdded links_fixed build_status check_results"
)
OTHERS = (
    "type units_total units_list scope files status tests timestamp coverage_min total summary failure_handling "
    "error_handling check_ids link_text files_changed "
    "passwords --- expectedTotal actor claim claimed declared repo_root"
)


@pytest.mark.parametrize("name", MEASURED.split())
def test_measured_names(name: str) -> None:
    assert is_measured_name(name)


@pytest.mark.parametrize("name", [*OTHERS.split(), ""])
def test_other_names(name: str) -> None:
    assert not is_measured_name(name)


def test_endpoints_may_be_objects(tmp_path: Path) -> None:
    scope = {"endpoints": [{"url": "https://x.example/users?a=1", "method": "post"}, {"url": "/health"}, "GET /x"]}
    document = {"task_id": "T_test", "type": "code", "commitments": {"scope": scope}}
    reading = read_commitment(_commitment(tmp_path, document), "T_test")
    assert reading.commitment.scope.endpoints == ("POST /users", "GET /health", "GET /x")


@pytest.mark.parametrize(
    ("claimed", "promised", "fits"),
    [
        ("code", "code_update", True),
        ("code_update", "code", True),
        ("content", "code", False),
        ("code_strict", "code", False),
    ],
)
def test_a_claim_is_of_the_family_of_its_commitment(tmp_path: Path, claimed: str, promised: str, fits: bool) -> None:
    reading = _claim(tmp_path, {"task_id": "T_test", "claim": {"type": claimed}}, promised)
    assert (reading.claim is not None and not reading.faults) is fits, reading


def test_a_file_with_more_parts_than_the_value_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    document = {"a": ["x, [y]", {}]}
    assert task_files.is_same_document(b' {"a" : ["x\\u002c [y]", { }]}\n', document)

    def parse(content: bytes, **_: object) -> None:
        pytest.fail(f"it parsed {content!r}")

    monkeypatch.setattr(task_files, "parse_json", parse)
    for content in (b'{"a": ["x, [y]", {}, 1]}', b'{"a": [[]]}' * 2, b'{"a": {"b": {}}}'):
        assert not task_files.is_same_document(content, document)
