from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verigate.config.builtin import find_builtin_root
from verigate.config.effective_profile import (
    choose_profile,
    find_laxer_keys,
    preview_profile,
    require_code_rules,
    resolve_profile,
)
from verigate.config.profiles import Profiles, load_profiles
from verigate.config.task_files import commitment_from, is_same_commitment
from verigate.errors import UsageError

BUILTIN = find_builtin_root()
SMALL = {"id": "small", "expr": "1 < 2"}
OTHER = {"id": "small", "expr": "2 < 1"}
MORE = {"id": "more", "expr": "true"}

AS_MUCH: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({}, {"tests_pass": True, "coverage_min": 0.1, "rules": [SMALL]}),
    ({"tests_pass": True}, {"tests_pass": True, "tests_min": 1}),
    ({"tests_pass": False}, {}),
    ({"required_artifacts": []}, {}),
    ({"coverage_min": 0.8}, {"coverage_min": 0.8}),
    ({"coverage_min": 0.8}, {"coverage_min": 0.9}),
    ({"lint_errors_max": 5}, {"lint_errors_max": 0}),
    ({"headings_required": ["h1"]}, {"headings_required": ["h2", "h1"]}),
    ({"latency_ms": {"p95": 50}}, {"latency_ms": {"p50": 5, "p95": 40}}),
    ({"latency_ms": {}}, {}),
    ({"rules": [SMALL]}, {"rules": [MORE, SMALL]}),
    ({"statements": "report"}, {}),
    ({"statements": "report"}, {"statements": "require"}),
    ({"fuzzy_units": "accept"}, {"fuzzy_units": "reject"}),
    ({"sandbox": "off"}, {}),
    ({}, {"sandbox": "prefer"}),
    ({"sandbox": "prefer"}, {"sandbox": "require"}),
    ({"allow_policy_change": True}, {}),
    ({}, {"allow_policy_change": False}),
    ({"treat_3xx_as_pass": True}, {"treat_3xx_as_pass": False}),
    ({"word_tolerance": 0.2}, {}),
    ({"timeout_ms": 1000}, {"timeout_ms": 500}),
    ({"verifier": {"when": "never"}}, {"verifier": {"when": "never"}}),
]

LESS: list[tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]] = [
    ({"tests_pass": True, "tests_min": 1}, {"integrity": True}, ("tests_min", "tests_pass")),
    ({"tests_pass": True}, {"tests_pass": False}, ("tests_pass",)),
    ({"tests_min": 0}, {}, ("tests_min",)),
    ({"coverage_min": 0.8}, {"coverage_min": 0.79}, ("coverage_min",)),
    ({"lint_errors_max": 0}, {"lint_errors_max": 1}, ("lint_errors_max",)),
    ({"lint_errors_max": 0}, {"lint_clean": False}, ("lint_errors_max",)),
    ({"headings_required": ["h1", "h2"]}, {"headings_required": ["h1"]}, ("headings_required",)),
    ({"latency_ms": {"p50": 5, "p95": 50}}, {"latency_ms": {"p50": 5}}, ("latency_ms",)),
    ({"latency_ms": {"p50": 5}}, {"latency_ms": {"p50": 6}}, ("latency_ms",)),
    ({"rules": [SMALL]}, {}, ("rules",)),
    ({"rules": [SMALL]}, {"rules": [OTHER]}, ("rules",)),
    ({"rules": [SMALL]}, {"rules": [{**SMALL, "when": "false"}]}, ("rules",)),
    ({}, {"statements": "report"}, ("statements",)),
    ({"statements": "require"}, {"statements": "report"}, ("statements",)),
    ({}, {"fuzzy_units": "accept"}, ("fuzzy_units",)),
    ({}, {"sandbox": "off"}, ("sandbox",)),
    ({"sandbox": "require"}, {}, ("sandbox",)),
    ({}, {"allow_policy_change": True}, ("allow_policy_change",)),
    ({}, {"treat_3xx_as_pass": True}, ("treat_3xx_as_pass",)),
    ({}, {"word_tolerance": 0.1}, ("word_tolerance",)),
    ({"timeout_ms": 1000}, {}, ("timeout_ms",)),
    ({}, {"timeout_ms": 1}, ("timeout_ms",)),
    ({"samples": 5}, {"samples": 4}, ("samples",)),
    ({}, {"verifier": {"when": "inconclusive"}}, ("verifier",)),
    ({"verifier": {"when": "never"}}, {}, ("verifier",)),
]


@pytest.mark.parametrize(("floor", "named"), AS_MUCH)
def test_what_asks_as_much_as_the_floor(floor: dict[str, Any], named: dict[str, Any]) -> None:
    assert find_laxer_keys(floor, named) == ()


@pytest.mark.parametrize(("floor", "named", "keys"), LESS)
def test_what_asks_less_than_the_floor(floor: dict[str, Any], named: dict[str, Any], keys: tuple[str, ...]) -> None:
    assert find_laxer_keys(floor, named) == keys


def test_every_strict_grade_reaches_the_floor_of_its_type_and_no_prototype_does() -> None:
    shipped = load_profiles(BUILTIN, BUILTIN)
    types = [name for name in shipped.names if not name.endswith(("_strict", "_prototype"))]
    assert types
    for name in types:
        floor = shipped.resolve(name).rules
        assert find_laxer_keys(floor, floor) == ()
        assert find_laxer_keys(floor, shipped.resolve(f"{name}_strict").rules) == ()
        assert find_laxer_keys(floor, shipped.resolve(f"{name}_prototype").rules) != ()


OWN = {
    "code_default": {"extends": "code", "coverage_min": 0.5},
    "mine": {"tests_pass": True},
    "higher": {"extends": "code_default", "coverage_min": 0.6},
}


def _profiles(root: Path, document: Any) -> Profiles:
    (root / "config").mkdir()
    (root / "config/verification.profiles.json").write_text(json.dumps(document))
    return load_profiles(root, BUILTIN)


@pytest.mark.parametrize(
    ("task_type", "committed", "caller", "chosen"),
    [
        ("code", None, None, "code_default"),
        ("code", "code_default", None, "code_default"),
        ("code", "higher", None, "higher"),
        ("code", "mine", "higher", "higher"),
        ("code", None, "mine", "mine"),
        ("code_update", "code_update_strict", None, "code_update_strict"),
        ("mine", None, None, "mine"),
        ("nobodys", None, "mine", "mine"),
    ],
)
def test_the_profile_that_is_chosen(
    tmp_path: Path, task_type: str, committed: str | None, caller: str | None, chosen: str
) -> None:
    profiles = _profiles(tmp_path, OWN)
    assert choose_profile(profiles, task_type, committed=committed, caller=caller, where="x").name == chosen


@pytest.mark.parametrize(
    ("task_type", "committed", "says"),
    [
        ("code", "unknown_prototype", "asks less than 'code_default'"),
        ("code", "unknown_prototype", ": coverage_min, lint_errors_max, tests_min;"),
        # The shipped one of the type is laxer than the repository's own, which is the floor.
        ("code", "code", ": coverage_min;"),
        ("nobodys", "mine", "'nobodys' has no profile of its own that 'mine' could be measured against"),
        ("nobodys", None, "no profile for the task type 'nobodys'"),
        ("code", "mien", "no profile is called 'mien'"),
    ],
)
def test_what_a_commitment_may_not_name(tmp_path: Path, task_type: str, committed: str | None, says: str) -> None:
    profiles = _profiles(tmp_path, OWN)
    with pytest.raises(UsageError) as caught:
        choose_profile(profiles, task_type, committed=committed, where="x")
    assert says in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("named", "hints"),
    [
        ("strict", "did you mean 'api_test_strict' or 'code_strict' or 'code_update_strict' or "),
        ("code_strct", "did you mean 'code_strict'?"),
        ("qqqq", "known profiles: api_test, api_test_prototype, "),
    ],
)
def test_an_unknown_profile_is_answered_with_those_that_may_be_meant(tmp_path: Path, named: str, hints: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_profile(_profiles(tmp_path, OWN), "code", committed=None, caller=named, where="x")
    assert str(caught.value.hint).startswith(hints)


HELD: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], tuple[str, ...]]] = [
    # code, the type's own, both, and in what it is more
    ({"tests_pass": True, "tests_min": 1}, {}, {"tests_min": 1, "tests_pass": True}, ("tests_min", "tests_pass")),
    ({"tests_pass": True}, {"tests_pass": True, "word_min": 9}, {"tests_pass": True, "word_min": 9}, ()),
    ({"tests_pass": True}, {"tests_pass": False}, {"tests_pass": True}, ("tests_pass",)),
    ({"lint_errors_max": 0}, {"lint_errors_max": 5}, {"lint_errors_max": 0}, ("lint_errors_max",)),
    ({"lint_errors_max": 5}, {"lint_errors_max": 0}, {"lint_errors_max": 0}, ()),
    ({"coverage_min": 0.8}, {"coverage_min": 0.5}, {"coverage_min": 0.8}, ("coverage_min",)),
    (
        {"required_artifacts": ["a.json"]},
        {"required_artifacts": ["b.json"]},
        {"required_artifacts": ["b.json", "a.json"]},
        ("required_artifacts",),
    ),
    ({"rules": [SMALL]}, {}, {"rules": [SMALL]}, ("rules",)),
    ({"rules": [SMALL]}, {"rules": [MORE, SMALL]}, {"rules": [MORE, SMALL]}, ()),
    ({"rules": [SMALL]}, {"rules": [OTHER]}, {"rules": [OTHER, {**SMALL, "id": "code_default.small"}]}, ("rules",)),
    ({}, {"allow_policy_change": True}, {"allow_policy_change": False}, ("allow_policy_change",)),
    ({}, {"statements": "report"}, {"statements": "require"}, ("statements",)),
    ({"fuzzy_units": "accept"}, {"fuzzy_units": "accept"}, {"fuzzy_units": "accept"}, ()),
    ({"sandbox": "require"}, {"sandbox": "off"}, {"sandbox": "require"}, ("sandbox",)),
    # Settings of the other domains are the type's own business, and so is the verifier.
    ({}, {"treat_3xx_as_pass": True, "samples": 1}, {"samples": 1, "treat_3xx_as_pass": True}, ()),
    ({"verifier": {"when": "never"}}, {}, {}, ()),
]


@pytest.mark.parametrize(("code", "own", "both", "more"), HELD)
def test_a_type_is_held_to_what_code_is_asked(
    tmp_path: Path, code: dict[str, Any], own: dict[str, Any], both: dict[str, Any], more: tuple[str, ...]
) -> None:
    profiles = _profiles(tmp_path, {"code_default": code, "mine": own})
    mine = profiles.resolve("mine")
    held, told = require_code_rules(mine, profiles)
    assert (dict(held.rules), told) == (both, more)
    assert held.name == "mine"
    assert (held.digest == mine.digest) == (not more)


def test_statements_that_are_reported_without_a_type_are_so_with_one(tmp_path: Path) -> None:
    profiles = _profiles(tmp_path, {"code_default": {}, "mine": {"statements": "report"}})
    assert require_code_rules(profiles.resolve("mine"), profiles, reported=True)[1] == ()


@pytest.mark.parametrize("grade", ["", "_strict", "_prototype"])
def test_what_ships_for_the_unknown_is_what_ships_for_code(tmp_path: Path, grade: str) -> None:
    profiles = load_profiles(tmp_path, BUILTIN)
    assert profiles.resolve(f"unknown{grade}").rules == profiles.resolve(f"code{grade}").rules


def test_the_error_says_where_and_what_to_try(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        choose_profile(_profiles(tmp_path, OWN), "code", committed="mine", where="commitment.json /profile")
    assert caught.value.where == "commitment.json /profile"
    assert caught.value.hint == (
        'name it with `gate verify --profile`, or make it the type\'s profile: "code_default": {"extends": "mine"} '
        "in config/verification.profiles.json"
    )


@pytest.mark.parametrize(
    ("content", "same"),
    [
        (b'{"type": "code",\r\n"task_id": "T"}', True),
        (b'{"task_id":"T","type":"unknown"}', False),
        (b'{"task_id":"T","type":"code","profile":"p"}', False),
        (b'{"task_id":"T","type":"code","type":"code"}', False),
        (b"../elsewhere", False),
        (b"", False),
    ],
)
def test_a_commitment_is_compared_by_what_it_says(content: bytes, same: bool) -> None:
    assert is_same_commitment(content, commitment_from({"task_id": "T", "type": "code"})) is same


def test_true_is_not_one() -> None:
    commitment = commitment_from({"task_id": "T", "type": "code", "commitments": {"expected_total": 1}})
    assert not is_same_commitment(b'{"task_id":"T","type":"code","commitments":{"expected_total":true}}', commitment)


BOTH = {"code_default": {"tests_pass": True, "coverage_min": 0.5}, "mine": {"tests_pass": True}}
PROMISE = {"task_id": "T", "type": "mine", "commitments": {"quality": {"coverage_min": 0.9, "tests_pass": False}}}


def test_code_rules_come_before_the_promise_and_both_before_the_default(tmp_path: Path) -> None:
    found = resolve_profile(
        _profiles(tmp_path, BOTH), commitment_from(PROMISE), where="x", code_touched=lambda: "a.py", reported=True
    )
    # The code profile takes statements as reports too, so they are no stricter for it.
    assert dict(found.profile.rules) == {"coverage_min": 0.9, "statements": "report", "tests_pass": True}
    added, loosened = found.warnings
    assert added == (
        "a.py counts as code, as all but documents does, and must meet the profile code_default too: coverage_min; "
        "`gate verify --profile mine` leaves these rules out"
    )
    assert loosened.startswith("/commitments/quality/tests_pass: tests_pass would loosen the profile mine")


@pytest.mark.parametrize(("task_type", "caller"), [("mine", "mine"), ("code", None)])
def test_a_named_profile_and_a_task_of_code_never_ask_for_code(
    tmp_path: Path, task_type: str, caller: str | None
) -> None:
    def refuse() -> str | None:
        raise AssertionError("the changed paths were read")

    commitment = commitment_from({"task_id": "T", "type": task_type})
    found = resolve_profile(_profiles(tmp_path, BOTH), commitment, where="x", caller=caller, code_touched=refuse)
    assert (found.profile.rules.get("coverage_min"), found.warnings) == (None if caller else 0.5, ())


def test_a_promise_that_would_loosen_is_a_warning(tmp_path: Path) -> None:
    commitment = commitment_from({**PROMISE, "type": "code", "commitments": {"quality": {"coverage_min": 0.1}}})
    found = resolve_profile(_profiles(tmp_path, BOTH), commitment, where="x", code_touched=lambda: None)
    assert found.profile.rules["coverage_min"] == 0.5
    assert found.warnings == (
        "/commitments/quality/coverage_min: coverage_min would loosen the profile code_default and has no effect",
    )


def test_before_the_work_code_rules_are_announced_and_not_added(tmp_path: Path) -> None:
    found = preview_profile(_profiles(tmp_path, BOTH), commitment_from(PROMISE), where="x")
    assert dict(found.profile.rules) == {"tests_pass": True}
    (announced,) = found.warnings
    assert announced.startswith(
        "code in the change must meet the profile code_default too: coverage_min; `gate verify --profile mine`"
    )
