"""The mark of a turn that was let go, in every place where a subject can carry it. Before, it changed nothing."""

from __future__ import annotations

import pytest
from gated_repository import GatedRepository, make

MARK = ".artifacts/some-task/UNVERIFIED"


@pytest.fixture
def repository(tmp_path_factory: pytest.TempPathFactory) -> GatedRepository:
    plan = {"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}
    rule = {"id": "any", "expr": 'artifacts["diff.json"].total_changes >= 0', "message": "-"}
    files = {"config/adapter-plan.json": plan, "config/verification.profiles.json": {"code_default": {"rules": [rule]}}}
    return make(tmp_path_factory.mktemp("mark"), capabilities=["my:check"], files=files)


def test_a_commit_of_nothing_but_the_mark_is_refuted(repository: GatedRepository) -> None:
    repository.put(MARK, {"why": "let go"})
    repository.sample.commit("let go")
    for arguments in (("--ref", "HEAD"), ("--staged",), ()):
        done = repository.gate("verify", *arguments, "--json")
        assert done.code == 1, done.output
        (reason,) = done.json["reasons"]
        assert (reason["code"], reason["check"]) == ("INTEGRITY_FAIL", "gate.unverified")
        assert MARK in reason["message"]


def test_a_mark_that_is_in_the_index_is_refuted_and_one_that_only_lies_there_is_not(
    repository: GatedRepository,
) -> None:
    repository.put(MARK, {"why": "let go"})
    repository.put("a.txt", "a")
    repository.sample.git("add", "a.txt")
    assert repository.gate("verify", "--staged", "--quiet").code == 0
    repository.sample.git("add", MARK)
    assert repository.gate("verify", "--staged", "--quiet").code == 1
    repository.sample.git("rm", "--quiet", "--cached", MARK)
    assert repository.gate("verify", "--staged", "--quiet").code == 0


@pytest.mark.parametrize("name", ["UNVERIFIED", "src/x/UNVERIFIED"])
def test_a_file_of_that_name_elsewhere_is_no_mark(name: str, repository: GatedRepository) -> None:
    repository.put(name, "-")
    repository.put("a.txt", "a")
    repository.sample.commit("no mark")
    assert repository.gate("verify", "--ref", "HEAD", "--quiet").code == 0


@pytest.mark.parametrize("name", [".artifacts/UNVERIFIED", ".artifacts/x/logs/UNVERIFIED"])
def test_a_file_of_that_name_can_not_land_elsewhere_below_artifacts(name: str, repository: GatedRepository) -> None:
    repository.put(name, "-")
    repository.sample.git("add", "--force", name)
    repository.sample.commit("no mark")
    done = repository.gate("verify", "--ref", "HEAD", "--quiet")
    assert (done.code, name in done.err) == (2, True), done.output


@pytest.mark.release
def test_the_doctor_tells_the_hosts_that_the_gate_is_installed_in(repository: GatedRepository) -> None:
    def told() -> dict[str, str]:
        checks = repository.gate("doctor", "--json").json["checks"]
        return {check["code"]: check["level"] for check in checks if check["code"].startswith("agent.")}

    repository.put(".cursor/hooks.json", "not ours, and no JSON")
    assert told() == {}
    for name in ("claude", "gemini", "opencode"):
        assert repository.gate("install", "--agent", name).code == 0
    assert told() == {"agent.claude": "info", "agent.gemini": "info", "agent.opencode": "info"}
    for path in (".claude/settings.json", ".gemini/settings.json"):
        settings = repository.root / path
        settings.write_text(f"// a comment\n{settings.read_text()}")
    assert told() == {"agent.claude": "warn", "agent.gemini": "info", "agent.opencode": "info"}
