from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from verigate.sdk import AdapterUsageError, parse_arguments

if TYPE_CHECKING:
    from pathlib import Path


def test_documents_default_to_the_task_folder(tmp_path: Path) -> None:
    (tmp_path / "commitment.json").write_text('{"task_id":"T","type":"code","base":"abc"}')
    (tmp_path / "claim.json").write_text('{"task_id":"T"}')
    request = parse_arguments(["code:diff", "--task-dir", str(tmp_path)], {"GATE_REPO_ROOT": str(tmp_path)})
    assert request.capability == "code:diff"
    assert request.commitment["type"] == "code"
    assert request.claim == {"task_id": "T"}
    assert request.base == "abc"
    assert request.gated
    assert request.repo_root == tmp_path


def test_a_missing_claim_reads_as_empty(tmp_path: Path) -> None:
    request = parse_arguments(["c:d", "--task-dir", str(tmp_path), "--claim", str(tmp_path / "none.json")], {})
    assert request.claim == {}
    assert request.base is None
    assert not request.gated


def test_the_environment_base_wins(tmp_path: Path) -> None:
    (tmp_path / "commitment.json").write_text('{"base":"abc"}')
    request = parse_arguments(["c:d", "--task-dir", str(tmp_path)], {"GATE_BASE": "def"})
    assert request.base == "def"


@pytest.mark.parametrize("shape", ["flat", "nested"])
def test_the_rules_are_the_active_profiles(tmp_path: Path, shape: str) -> None:
    profiles = {"strict": {"coverage_min": 0.9}, "lax": {}}
    document = {**profiles, "active": "strict"} if shape == "flat" else {"profiles": profiles, "active": "strict"}
    (tmp_path / "p.json").write_text(json.dumps(document))
    request = parse_arguments(["c:d", "--task-dir", str(tmp_path), "--profile", str(tmp_path / "p.json")], {})
    assert request.rules == {"coverage_min": 0.9}


def test_configuration_comes_from_the_environment(tmp_path: Path) -> None:
    request = parse_arguments(["c:d", "--task-dir", str(tmp_path)], {"GATE_CONFIG": '{"tests":[]}'})
    assert request.config == {"tests": []}


def test_the_repository_is_found_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert parse_arguments(["c:d", "--task-dir", str(tmp_path)], {}).repo_root == tmp_path


@pytest.mark.parametrize(
    ("extra", "environ", "word"),
    [
        (["--nope", "x"], {}, "nope"),
        (["--task", "x"], {}, "task"),
        (["--commitment", "absent.json"], {}, "no such file"),
        (["--profile", "absent.json"], {}, "no such file"),
        ([], {"GATE_CONFIG": "[1]"}, "not a JSON object"),
        ([], {"GATE_CONFIG": "{"}, "is not JSON"),
        ([], {"GATE_CONFIG": '{"a":' + "[" * 200_000}, "is not JSON"),
        ([], {"GATE_REPO_ROOT": "/no/such/folder"}, "no folder"),
    ],
)
def test_a_call_without_sense_is_a_usage_error(
    tmp_path: Path, extra: list[str], environ: dict[str, str], word: str
) -> None:
    with pytest.raises(AdapterUsageError, match=word) as caught:
        parse_arguments(["c:d", "--task-dir", str(tmp_path), *extra], environ)
    assert caught.value.exit_code == 2


def test_an_unknown_active_profile_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"a":{},"active":"b"}')
    with pytest.raises(AdapterUsageError, match="'b'"):
        parse_arguments(["c:d", "--task-dir", str(tmp_path), "--profile", str(tmp_path / "p.json")], {})


def test_a_missing_task_folder_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(AdapterUsageError, match="no folder"):
        parse_arguments(["c:d", "--task-dir", str(tmp_path / "none")], {})
