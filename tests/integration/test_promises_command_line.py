"""The table of promises, row by row and bullet by bullet, through the real command line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forked_programs
import gated_repository as gr
import literal_facts as lf
import pytest
from release_tests import some_always

from verigate.domain.rules import RULES
from verigate.domain.standard_artifacts import BY_SPEC

RULES_ = {"tests_pass": True, "lint_errors_max": 0}
DIFF = ("diff.json", "diff_names.json", "diffs.patch")
CODE = {path: lf.GOOD[path] for path in (*DIFF, "lint.json", "tests.json")}
LYING = {**CODE, "tests.json": lf.BAD["tests.json"]}


@pytest.fixture(autouse=True)
def started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call in this table starts the program as a user does."""
    monkeypatch.setattr(forked_programs, "gate", forked_programs.started_anew)


def honest(folder: Path, artifacts: Any = None, rules: Any = None, **more: Any) -> gr.GatedRepository:
    """A task of the type ``facts`` with one change and one supported claim."""
    found = gr.make(folder, CODE if artifacts is None else artifacts, RULES_ if rules is None else rules, **more)
    found.begin()
    found.put("a.py", "answer = 42\n")
    found.claim("file:a.py")
    return found


def codes(repository: gr.GatedRepository) -> list[str]:
    return [reason["code"] for reason in repository.verdict()["reasons"]]


def outcome(repository: gr.GatedRepository, check_id: str) -> Any:
    return next(check for check in repository.verdict()["checks"] if check["id"] == check_id)


# Row by row


def test_pass_is_0(tmp_path: Path) -> None:
    repository = honest(tmp_path)
    done = repository.verify()
    assert done.code == 0, done.output
    verdict = repository.verdict()
    assert (verdict["status"], verdict["reasons"], verdict["decided_by"]) == ("pass", [], "facts")
    assert verdict["units"]["supported"] == 1
    metadata = verdict["metadata"]
    assert {"started", "finished", "duration", "host", "measured"} <= metadata.keys()
    assert metadata["measured"] == {"tests.json": {"/duration": 12.5}}
    assert sorted(path.name for path in (repository.root / ".artifacts" / "T1").iterdir()) == [
        "artifacts.json", "checksums.sha256", "claim.json", "commitment.json", "diff.json", "diff_names.json",
        "diffs.patch", "lint.json", "logs", "run.json", "tests.json", "verdict.json",
    ]  # fmt: skip
    sums = subprocess.run(
        ["sha256sum", "--check", "--strict", "checksums.sha256"],
        cwd=repository.root / ".artifacts" / "T1",
        capture_output=True,
        check=False,
    )
    assert sums.returncode == 0, sums.stdout


def lying_claim(repository: gr.GatedRepository) -> None:
    repository.claim("file:a.py", "file:never.py")


def measured_claim(repository: gr.GatedRepository) -> None:
    repository.claim("file:a.py", coverage=0.9)


def foreign_claim(repository: gr.GatedRepository) -> None:
    repository.put(".artifacts/T1/claim.json", {"task_id": "T2", "claim": {}})


def broken_claim(repository: gr.GatedRepository) -> None:
    repository.put(".artifacts/T1/claim.json", b"\xff{")


def other_type(repository: gr.GatedRepository) -> None:
    repository.claim("file:a.py", type="content")


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lying_claim, "DIFF_MISMATCH"),
        (measured_claim, "CLAIM_INVALID"),
        (foreign_claim, "CLAIM_INVALID"),
        (broken_claim, "CLAIM_INVALID"),
        (other_type, "CLAIM_INVALID"),
    ],
)
def test_a_refuted_or_invalid_claim_is_1(tmp_path: Path, act: Callable[[gr.GatedRepository], None], code: str) -> None:
    repository = honest(tmp_path)
    act(repository)
    done = repository.verify()
    assert done.code == 1, done.output
    assert repository.verdict()["status"] == "fail"
    assert codes(repository) == [code]


def test_a_refuted_rule_is_1(tmp_path: Path) -> None:
    repository = honest(tmp_path, LYING)
    assert repository.verify().code == 1
    assert codes(repository) == ["TEST_FAIL"]


USAGE: dict[str, tuple[Callable[[gr.GatedRepository], object], tuple[str, ...], str]] = {
    "option": (lambda _: None, ("verify", "T1", "--nope"), "No such option"),
    "two subjects": (lambda _: None, ("verify", "T1", "--staged", "--ref", "HEAD"), "two different subjects"),
    "task id": (lambda _: None, ("verify", "../x"), "not a task id"),
    "empty task id": (lambda _: None, ("verify", ""), "not a task id"),
    "only": (lambda _: None, ("verify", "T1", "--only", "code:lnt"), "code:lint"),
    "only nothing": (lambda _: None, ("verify", "T1", "--only", ","), "names no capability"),
    "profile": (lambda _: None, ("verify", "T1", "--profile", "fact"), "facts"),
    "no such task": (lambda _: None, ("verify", "T7"), "gate start T7"),
    "no such ref": (lambda _: None, ("verify", "T1", "--ref", "nowhere"), "nowhere is not a commit"),
    "no such base": (lambda _: None, ("verify", "T1", "--base", "nowhere"), "nowhere is not a commit"),
    "task type": (lambda r: r.begin(task_type="fact"), ("verify", "T1"), "known types"),
    "another's commitment": (
        lambda r: r.put(".artifacts/T1/commitment.json", {"task_id": "T2", "type": "facts"}),
        ("verify", "T1"),
        "T2",
    ),
    "unreadable commitment": (lambda r: r.put(".artifacts/T1/commitment.json", b"\x00"), ("verify", "T1"), "not JSON"),
    "plan": (lambda r: r.put("config/adapter-plan.json", "{"), ("verify", "T1"), "adapter-plan.json:1"),
    "rule key": (
        lambda r: r.put("config/verification.profiles.json", {"facts": {"test_pass": True}}),
        ("verify", "T1"),
        "tests_pass",
    ),
    "percentage": (
        lambda r: r.put("config/verification.profiles.json", {"facts": {"coverage_min": 80}}),
        ("verify", "T1"),
        "0.8",
    ),
    "required not in order": (
        lambda r: r.put(
            "config/adapter-plan.json", {"facts": {"order": ["code:lint"], "required": ["code:lint", "code:diff"]}}
        ),
        ("verify", "T1"),
        "not in order",
    ),
    "manifest": (
        lambda r: r.put("adapters/facts/manifest.json", "{}"),
        ("verify", "T1"),
        "adapters/facts/manifest.json",
    ),
}


@pytest.mark.parametrize("name", some_always(USAGE, str, one_in=4))
def test_usage_and_configuration_are_2_and_leave_the_old_verdict_alone(tmp_path: Path, name: str) -> None:
    act, arguments, told = USAGE[name]
    repository = honest(tmp_path)
    assert repository.verify().code == 0
    before = (repository.root / ".artifacts/T1/verdict.json").read_bytes()
    act(repository)
    done = repository.gate(*arguments)
    assert done.code == 2, done.output
    assert told in done.err
    assert (repository.root / ".artifacts/T1/verdict.json").read_bytes() == before
    assert not repository.has_verdict("T7")
    assert list(repository.tmp.iterdir()) == []


def test_every_fault_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    repository = honest(tmp_path)
    repository.put("config/adapter-plan.json", {"facts": {"ordr": [], "required": ["code:diff"]}})
    repository.put("config/verification.profiles.json", {"facts": {"coverage_min": 80, "test_pass": True}})
    done = repository.gate("verify", "T1", "--json")
    assert done.code == 2
    files = [fault["file"] for fault in done.json["faults"]]
    assert len([name for name in files if name.endswith("adapter-plan.json")]) >= 1
    assert len([name for name in files if name.endswith("profiles.json")]) == 2
    assert all(fault["line"] for fault in done.json["faults"])


BROKEN_CAPABILITIES: dict[str, tuple[str, str]] = {
    "exit code": ("exit 3", "ADAPTER_CRASH"),
    "signal": ("kill -9 $$", "ADAPTER_CRASH"),
    "timeout": ("sleep 30", "ADAPTER_TIMEOUT"),
    "no artifact": ('rm -- "$TASK_DIR/lint.json"', "ARTIFACT_MISSING"),
    "invalid": ('echo "{" >"$TASK_DIR/lint.json"', "ARTIFACT_INVALID"),
    "contradiction": (
        'echo \'{"errors":0,"warnings":0,"files_checked":1,"issues":[{"severity":"error"}]}\' >"$TASK_DIR/lint.json"',
        "ARTIFACT_INVALID",
    ),
    "link out": ('ln -s /etc/hostname "$TASK_DIR/more.txt"', "ARTIFACT_INVALID"),
}


@pytest.mark.parametrize("name", BROKEN_CAPABILITIES)
def test_a_required_capability_without_usable_facts_is_3(tmp_path: Path, name: str) -> None:
    act, code = BROKEN_CAPABILITIES[name]
    repository = honest(tmp_path, acts={"code:lint": act}, timeout=1 if name == "timeout" else 30)
    done = repository.verify()
    assert done.code == 3, done.output
    verdict = repository.verdict()
    assert verdict["status"] == "error"
    assert verdict["reasons"][0]["code"] == code
    assert not (repository.root / ".artifacts/T1/lint.json").exists()
    # All planned capabilities ran, and what they found is judged.
    assert outcome(repository, "capability:code:tests")["outcome"] == "holds"
    assert outcome(repository, "code.tests_pass")["outcome"] == "holds"


@pytest.mark.release
def test_no_adapter_and_an_entry_that_can_not_start_are_3(tmp_path: Path) -> None:
    repository = honest(tmp_path, order=("code:diff", "code:lint", "code:tests", "nobody:knows"))
    assert repository.verify().code == 3
    assert codes(repository) == ["MISSING_ADAPTER"]
    second = honest(tmp_path / "second", files={"adapters/a/manifest.json": {
        "name": "first", "version": "1", "entry": "gone", "capabilities": ["code:lint"]}})  # fmt: skip
    done = second.verify()
    assert done.code == 3, "a missing entry never falls through to the next provider"
    assert codes(second)[0] == "MISSING_ADAPTER"
    assert "does not exist" in second.verdict()["reasons"][0]["message"]


UNDECIDED: dict[str, tuple[Callable[[gr.GatedRepository], object], str]] = {
    "no claim": (lambda r: (r.root / ".artifacts/T1/claim.json").unlink(), "MISSING_CLAIM"),
    "statement": (lambda r: r.claim("file:a.py", statements=["it is fast"]), "CLAIM_UNSUPPORTED"),
}


@pytest.mark.release
@pytest.mark.parametrize("name", some_always(UNDECIDED, str, one_in=4))
def test_what_no_fact_decides_is_4(tmp_path: Path, name: str) -> None:
    act, code = UNDECIDED[name]
    repository = honest(tmp_path)
    act(repository)
    done = repository.verify()
    assert done.code == 4, done.output
    assert repository.verdict()["status"] == "inconclusive"
    assert codes(repository) == [code]


def test_only_is_4_and_writes_no_verdict(tmp_path: Path) -> None:
    repository = honest(tmp_path)
    done = repository.verify("T1", "--only", "code:tests,code:lint", "--only", "code:diff", "--json")
    assert done.code == 4, done.output
    assert done.json["status"] == "inconclusive"
    assert [reason["check"] for reason in done.json["reasons"]] == ["gate.only"]
    assert sorted(path.name for path in (repository.root / ".artifacts/T1").iterdir()) == [
        "claim.json",
        "commitment.json",
    ]
    alone = repository.verify("T1", "--only", "code:lint", "--json")
    ran = [check["id"] for check in alone.json["checks"] if check["id"].startswith("capability:")]
    assert ran == ["capability:code:lint"]


def test_only_never_hides_what_is_refuted(tmp_path: Path) -> None:
    repository = honest(tmp_path, LYING)
    done = repository.verify("T1", "--only", "code:tests", "--json")
    assert done.code == 1
    assert "TEST_FAIL" in [reason["code"] for reason in done.json["reasons"]]


def test_only_names_a_next_command_that_works(tmp_path: Path) -> None:
    repository = honest(tmp_path, LYING)
    shown = repository.verify("T1", "--only", "code:tests").out
    assert "gate explain" not in shown
    assert shown.endswith("to explain it, run: gate verify T1\n")
    assert repository.verify("T1").code == 1
    assert repository.gate("explain", "T1", "code.tests_pass").code == 0


def test_a_conflict_fails_who_caused_it_and_skips_who_depends_on_it(tmp_path: Path) -> None:
    """The producer's own version stands."""
    forge = f"echo '{json.dumps(lf.ZERO['tests.json'])}' >\"$TASK_DIR/tests.json\""
    repository = honest(tmp_path, LYING, acts={"my:check": f"{forge}; echo {{}} >\"$TASK_DIR/mine.json\"",
                                               "my:after": "echo {} >\"$TASK_DIR/after.json\""})  # fmt: skip
    assert repository.verify().code == 3
    found = {check["id"]: check.get("reason") for check in repository.verdict()["checks"]}
    assert found["capability:my:check"] == "ARTIFACT_CONFLICT"
    assert found["capability:my:after"] == "ARTIFACT_MISSING"
    assert found["code.tests_pass"] == "TEST_FAIL"
    assert repository.published("tests.json") == lf.BAD["tests.json"]
    assert not (repository.root / ".artifacts/T1/mine.json").exists()


@pytest.mark.release
def test_a_verdict_of_error_does_not_name_the_run_s_private_folder(tmp_path: Path) -> None:
    repository = honest(tmp_path, acts={"code:lint": "echo \"lost in $TASK_DIR\" >&2; exit 1"},
                        order=("code:diff", "code:lint", "code:tests", "my:gone"), files={"adapters/gone/manifest.json":
                        {"name": "gone", "version": "1", "entry": "gone", "capabilities": ["my:gone"]}})  # fmt: skip
    seen = set()
    for _ in range(2):
        assert repository.verify().code == 3
        verdict = repository.verdict()
        del verdict["metadata"]
        seen.add(json.dumps(verdict, sort_keys=True))
    assert len(seen) == 1
    assert str(repository.tmp) not in seen.pop()


# Precedence: all planned capabilities run, and what is refuted is listed under any status


@pytest.mark.release
def test_error_comes_before_fail_before_inconclusive_and_nothing_is_hidden(tmp_path: Path) -> None:
    repository = honest(tmp_path, LYING, {**RULES_, "coverage_min": 0.8}, acts={"code:diff": "exit 1"})
    repository.claim(statements=["it is fast"])
    done = repository.verify()
    assert done.code == 3, done.output
    found = codes(repository)
    assert found[0] == "ADAPTER_CRASH"
    assert "TEST_FAIL" in found
    assert found.index("TEST_FAIL") < found.index("CLAIM_UNSUPPORTED")
    ran = [item["capability"] for item in repository.published("run.json")["invocations"]]
    assert ran[:3] == ["code:diff", "code:lint", "code:tests"]


# Optional capabilities; capabilities that the plan does not name


@pytest.mark.release
@pytest.mark.parametrize("name", BROKEN_CAPABILITIES)
def test_an_optional_capability_that_fails_changes_nothing_else(tmp_path: Path, name: str) -> None:
    act, code = BROKEN_CAPABILITIES[name]
    repository = honest(
        tmp_path,
        rules={"tests_pass": True},
        acts={"code:lint": act},
        optional=["code:lint"],
        timeout=1 if name == "timeout" else 30,
    )
    done = repository.verify()
    assert done.code == 0, done.output
    check = outcome(repository, "capability:code:lint")
    assert (check["outcome"], check["reason"], check["holds_back"]) == ("unknown", code, False)
    assert not (repository.root / ".artifacts/T1/lint.json").exists()


def test_a_rule_that_reads_a_failed_optional_capability_is_unknown(tmp_path: Path) -> None:
    repository = honest(tmp_path, acts={"code:lint": "exit 1"}, optional=["code:lint"])
    assert repository.verify().code == 4
    assert codes(repository) == ["ARTIFACT_MISSING"]
    assert outcome(repository, "code.tests_pass")["outcome"] == "holds"


def test_an_optional_capability_that_nobody_provides_is_only_reported(tmp_path: Path) -> None:
    order = ("code:diff", "code:lint", "code:tests", "nobody:knows")
    repository = honest(tmp_path, order=order, optional=["nobody:knows"])
    assert repository.verify().code == 0


def test_what_a_rule_needs_and_the_plan_does_not_name_is_required(tmp_path: Path) -> None:
    repository = honest(tmp_path, order=("code:diff",))
    assert repository.verify().code == 0
    ran = {item["capability"]: item["required"] for item in repository.published("run.json")["invocations"]}
    assert ran == {"code:diff": True, "code:lint": True, "code:tests": True}
    broken = honest(tmp_path / "broken", order=("code:diff",), acts={"code:tests": "exit 1"})
    assert broken.verify().code == 3


# not_applicable, zeroes, implicit tasks


def table_of_rules(state: str) -> tuple[dict[str, Any], dict[str, Any]]:
    # Only the built-in adapter serves these; test_fixes_verified.py, test_code_noticing.py and the twins show them.
    rules = {
        key: value for key, value in lf.THRESHOLDS.items() if key not in ("integrity", "fixes_proven", "noticed_min")
    }
    own = ("integrity.json", "counterfactual.json", "sensitivity.json")
    artifacts = {path: value for path, value in getattr(lf, state).items() if path not in own}
    return {**rules, **lf.SETTINGS}, artifacts


@pytest.mark.parametrize(("state", "code"), [("GOOD", 0), ("BAD", 1), ("ZERO", 1)])
def test_every_rule_on_every_state_of_its_artifacts(tmp_path: Path, state: str, code: int) -> None:
    rules, artifacts = table_of_rules(state)
    repository = gr.make(tmp_path, artifacts, rules)
    repository.begin(requirements={"functions": ["foo"], "endpoints": ["GET /users"]})
    repository.put("a.py", "answer = 42\n")
    repository.claim(*(("file:a.py", "func:foo", "endpoint:GET /users") if state == "GOOD" else ()))
    done = repository.verify()
    assert done.code == code, done.output
    found = {check["id"]: check["outcome"] for check in repository.verdict()["checks"]}
    for key in rules:
        if RULES[key].setting:
            continue
        expected = "holds" if state == "GOOD" else "refuted"
        if (state, key) == ("ZERO", "reject_unclaimed_changes"):
            expected = "not_applicable"
        assert found[f"{RULES[key].domain}.{key}"] == expected, key
    assert_replayed(repository, code)


def assert_replayed(repository: gr.GatedRepository, code: int) -> None:
    """The verdict that ``gate replay`` computes from the evidence is the recorded one, byte for byte."""
    done = repository.gate("replay", "T1", "--json")
    assert (done.code, done.json["agrees"], done.json["difference"]) == (code, True, None)


@pytest.mark.release
def test_every_rule_of_an_error_whose_required_capabilities_crashed(tmp_path: Path) -> None:
    rules, artifacts = table_of_rules("GOOD")
    readers = {BY_SPEC[spec].capability for key in rules for spec in RULES[key].reads}
    repository = gr.make(tmp_path, artifacts, rules, acts=dict.fromkeys(readers, "exit 1"))
    repository.begin(requirements={"functions": ["foo"]})
    repository.put("a.py", "answer = 42\n")
    repository.claim()
    assert repository.verify().code == 3
    found = {check["id"]: check["outcome"] for check in repository.verdict()["checks"]}
    for key in rules:
        if not RULES[key].setting:
            assert found[f"{RULES[key].domain}.{key}"] == "unknown", key
    assert_replayed(repository, 3)


@pytest.mark.release
def test_every_rule_without_its_artifact_is_undecided(tmp_path: Path) -> None:
    rules, artifacts = table_of_rules("GOOD")
    readers = {BY_SPEC[spec].capability for key in rules for spec in RULES[key].reads}
    acts = dict.fromkeys(readers, "exit 1")
    repository = gr.make(tmp_path, artifacts, rules, acts=acts, optional=sorted(readers))
    repository.begin(requirements={"functions": ["foo"]})
    repository.put("a.py", "answer = 42\n")
    repository.claim()
    assert repository.verify().code == 4
    found = {check["id"]: check["outcome"] for check in repository.verdict()["checks"]}
    for key in rules:
        if not RULES[key].setting:
            assert found[f"{RULES[key].domain}.{key}"] == "unknown", key
    assert_replayed(repository, 4)


def test_rules_of_an_untouched_domain_do_not_apply_and_prove_nothing(tmp_path: Path) -> None:
    repository = honest(
        tmp_path, {path: lf.GOOD[path] for path in DIFF}, {"required_endpoints": ["/x"]}, order=("code:diff",)
    )
    repository.claim()
    # The rule would read api/endpoints.json, and nobody provides it: a rule that asks is a capability that is required.
    assert repository.verify().code == 3
    settled = honest(tmp_path / "settled", {**CODE, "api/endpoints.json": lf.ZERO["api/endpoints.json"]},
                     {"required_endpoints": ["/x"]}, order=("code:diff",))  # fmt: skip
    settled.claim()
    done = settled.verify()
    assert done.code == 4, done.output
    assert outcome(settled, "api.required_endpoints")["outcome"] == "not_applicable"
    assert codes(settled) == ["CLAIM_UNSUPPORTED"]


def test_an_implicit_task_is_judged_by_its_rules_alone_and_an_empty_diff_is_nothing_to_verify(tmp_path: Path) -> None:
    plan = {"code": {"order": ["code:tests"], "required": ["code:tests"]}}
    files = {"config/verification.profiles.json": {"code": {"tests_pass": True}}, "config/adapter-plan.json": plan}
    repository = gr.make(tmp_path, CODE, files=files)
    empty = repository.gate("verify")
    assert empty.code == 0
    assert "nothing to verify" in empty.err
    assert "gate verify --ref HEAD" in empty.err, "what was just committed is one option away"
    assert not repository.has_verdict("implicit")
    as_json = repository.gate("verify", "--json")
    assert (as_json.code, as_json.json["schema"]) == (0, "verigate:no-verdict.v1")
    repository.put("a.py", "answer = 42\n")
    done = repository.gate("verify", "--staged")
    assert done.code == 0, "what is not staged is no part of it"
    assert "nothing is staged" in done.err
    assert not repository.has_verdict("implicit")
    repository.sample.git("add", "a.py")
    done = repository.gate("verify", "--staged")
    assert done.code == 0, done.output
    verdict = repository.verdict("implicit")
    assert (verdict["status"], verdict["units"]["expected"], verdict["subject"]["kind"]) == ("pass", None, "index")


@pytest.mark.parametrize("rules", [{}, {"sandbox": "prefer"}, {"rules": []}, {"lint_clean": False}])
def test_an_empty_rule_set_is_never_a_pass(tmp_path: Path, rules: dict[str, Any]) -> None:
    repository = honest(tmp_path, rules=rules)
    done = repository.verify()
    assert done.code == 4, done.output
    assert "gate.rules" in [reason["check"] for reason in repository.verdict()["reasons"]]


def test_an_empty_plan_is_refused(tmp_path: Path) -> None:
    repository = honest(tmp_path, rules={}, order=())
    done = repository.verify()
    assert done.code == 2, done.output
    assert "/facts/order" in done.err


# Denominators, missing tools, crashed linters


@pytest.mark.parametrize(("total", "code"), [(1, 0), (2, 1)])
def test_a_claimed_total_is_held_against_the_document_s_own_denominator(tmp_path: Path, total: int, code: int) -> None:
    repository = honest(tmp_path)
    repository.claim(units_total=total)
    assert repository.verify().code == code
    check = outcome(repository, "units.total")
    assert check["evidence"][0]["artifact"] == "diff.json"
    assert check["evidence"][0]["pointer"] == "/total_changes"


@pytest.mark.release
def test_a_missing_tool_is_a_fact_and_a_linter_s_own_crash_an_error(tmp_path: Path) -> None:
    repository = honest(tmp_path, {**CODE, "lint.json": lf.ZERO["lint.json"]})
    assert repository.verify().code == 1
    assert codes(repository) == ["LINT_EMPTY"]
    assert "no linter was found" in repository.verdict()["reasons"][0]["message"]
    crashed = honest(tmp_path / "crashed", acts={"code:lint": "echo boom >&2; exit 2"})
    assert crashed.verify().code == 3
    assert "boom" in crashed.verdict()["reasons"][0]["message"]
    assert (crashed.root / ".artifacts/T1/logs/code.lint.err").read_text() == "boom\n"


# An unknown rule stays unknown, whatever engine a profile names


def test_without_facts_a_verifier_is_not_asked_and_nothing_becomes_a_pass(tmp_path: Path) -> None:
    rules = {**RULES_, "coverage_min": 0.8, "verifier": {"engine": "gemini", "when": "inconclusive"}}
    repository = honest(tmp_path, {**CODE, "coverage.json": lf.GOOD["coverage.json"]}, rules,
                        acts={"code:coverage": "exit 1"}, optional=["code:coverage"])  # fmt: skip
    assert repository.verify("T1", "--no-llm").code == 4
    assert codes(repository) == ["ARTIFACT_MISSING"]
    assert repository.verdict()["verifier"] is None


# Hooks: every code but 0 blocks


@pytest.mark.parametrize(
    ("artifacts", "acts", "lands"),
    [(CODE, {}, True), (LYING, {}, False), (CODE, {"code:tests": "exit 1"}, False), ({}, {}, False)],
    ids=["pass", "fail", "error", "missing"],
)
def test_every_code_but_0_blocks_a_commit(
    tmp_path: Path, artifacts: dict[str, Any], acts: dict[str, str], lands: bool
) -> None:
    plan = {"code": {"order": ["code:tests"], "required": ["code:tests"]}}
    files = {"config/verification.profiles.json": {"code": {"tests_pass": True}}, "config/adapter-plan.json": plan}
    if not artifacts:
        # The built-in adapter can't be shadowed by silence: name a capability that nobody has.
        files["config/adapter-plan.json"] = {"code": {"order": ["nobody:knows"], "required": ["nobody:knows"]}}
    repository = gr.make(tmp_path, artifacts, files=files, acts=acts, capabilities=("my:check",))
    installed = repository.gate("install", "--hook", "pre-commit")
    assert installed.code == 0, installed.output
    repository.put("a.py", "answer = 42\n")
    repository.sample.git("add", "a.py")
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "work"],
        cwd=repository.root,
        env=repository.environ(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode == 0) is lands, done.stderr.decode()
    assert ("work" in repository.sample.git("log", "-1", "--format=%s")) is lands


# What is verified, and by whom


def test_artifacts_are_no_part_of_the_subject_and_the_user_s_tree_is_never_written(tmp_path: Path) -> None:
    act = 'echo hacked >"$GATE_REPO_ROOT/a.py"; echo stray >"$GATE_REPO_ROOT/stray.txt"'
    repository = honest(
        tmp_path, acts={"code:diff": act, "code:lint": 'cp -- "$GATE_REPO_ROOT/a.py" "$TASK_DIR/seen.txt"'}
    )
    first = repository.verify()
    assert first.code == 0, first.output
    tree = repository.verdict()["subject"]["tree"]
    assert (repository.root / "a.py").read_text() == "answer = 42\n"
    assert not (repository.root / "stray.txt").exists()
    assert (repository.root / ".artifacts/T1/seen.txt").read_text() == "answer = 42\n", "put back for the next one"
    assert sorted(repository.published("run.json")["invocations"][0]["subject_changes"]) == ["a.py", "stray.txt"]
    assert repository.verify().code == 0
    assert repository.verdict()["subject"]["tree"] == tree


def test_a_capability_sees_only_what_this_run_published(tmp_path: Path) -> None:
    look = 'seen=$(ls -- "$TASK_DIR") && printf "%s\\n" "$seen" >"$TASK_DIR/seen.txt"'
    repository = honest(tmp_path, acts={"code:tests": look})
    repository.put(".artifacts/T1/planted.json", {"from": "an earlier run"})
    repository.put(".artifacts/T1/coverage.json", lf.GOOD["coverage.json"])
    assert repository.verify().code == 0
    seen = (repository.root / ".artifacts/T1/seen.txt").read_text().split()
    own = ["claim.json", "commitment.json", "diff.json", "diff_names.json", "diffs.patch", "lint.json", "tests.json"]
    assert sorted(seen) == own
    assert not (repository.root / ".artifacts/T1/planted.json").exists()
    assert not (repository.root / ".artifacts/T1/coverage.json").exists()


LINTED = {"lint_errors_max": 0}
JUDGES = {
    "plan": ("config/adapter-plan.json", None),
    "profiles": ("config/verification.profiles.json", {"facts": LINTED, "code_default": LINTED}),
    "adapter": ("adapters/facts/out/code:tests/tests.json", {**lf.GOOD["tests.json"], "duration": 1}),
    "new adapter": (
        "adapters/aaa/manifest.json",
        {"name": "aaa", "version": "1", "entry": "x", "capabilities": ["my:x"]},
    ),
    "hook": ("hooks/pre-commit", "#!/bin/sh\nexit 0\n"),
}


@pytest.mark.release
@pytest.mark.parametrize("name", some_always(JUDGES, str, one_in=4))
def test_a_change_of_the_judges_fails_unless_the_base_s_profile_allows_it(tmp_path: Path, name: str) -> None:
    path, content = JUDGES[name]
    for allowed in (False, True):
        rules = {**RULES_, **({"allow_policy_change": True} if allowed else {})}
        repository = honest(tmp_path / str(allowed), rules=rules)
        if content is None:
            plan = json.loads((repository.root / path).read_text())
            plan["facts"]["description"] = "changed"
            repository.put(path, plan)
        else:
            repository.put(path, content)
        done = repository.verify()
        assert done.code == (0 if allowed else 1), done.output
        assert codes(repository) == ([] if allowed else ["INTEGRITY_FAIL"])
    # A change can't allow itself.
    own = honest(tmp_path / "own")
    allows = {**RULES_, "allow_policy_change": True}
    own.put("config/verification.profiles.json", {"facts": allows, "code_default": allows})
    assert own.verify().code == 1


def test_integrity_can_not_be_shadowed(tmp_path: Path) -> None:
    repository = honest(tmp_path, {**CODE, "integrity.json": lf.GOOD["integrity.json"]})
    planned = {item["name"]: item["adapter"] for item in repository.gate("plan", "T1", "--json").json["capabilities"]}
    assert planned["code:integrity"] != "facts"
    assert planned["code:lint"] == "facts"


def test_an_environment_full_of_traps_changes_nothing(tmp_path: Path) -> None:
    repository = honest(tmp_path, acts={"code:diff": 'env | sort >"$TASK_DIR/env.txt"'})
    traps = {
        "GIT_DIR": "/nowhere",
        "GIT_WORK_TREE": "/nowhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": "touch /tmp/never",
        "AWS_SECRET_ACCESS_KEY": "s3cr3t-value",
        "PYTHONPATH": "/nowhere",
        "LD_PRELOAD": "",
    }
    done = repository.gate("verify", "T1", **traps)
    assert done.code == 0, done.output
    seen = (repository.root / ".artifacts/T1/env.txt").read_text()
    assert "s3cr3t" not in seen
    assert "GIT_DIR" not in seen
    assert "PYTHONPATH" not in seen
    assert f"GATE_REPO_ROOT={repository.root}" in seen or "GATE_REPO_ROOT=" in seen
    assert not os.path.exists("/tmp/never")  # noqa: PTH110, S108
