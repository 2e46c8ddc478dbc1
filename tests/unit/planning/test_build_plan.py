from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest

from verigate.domain.manifest import Capability, Manifest, Origin, Output, Registry, SandboxPolicy
from verigate.domain.plan import Plan, PlanEntry
from verigate.domain.profile import Profile
from verigate.domain.task import Statement, Unit, UnitKind
from verigate.errors import UsageError
from verigate.planning.plan import build_plan
from verigate.statements.claims import read_statements

CODE = PlanEntry(("code:diff", "code:lint"), frozenset({"code:diff"}), frozenset({"code:lint"}))


def registry(*capabilities: Capability | str, name: str = "all") -> Registry:
    declared = tuple(item if isinstance(item, Capability) else Capability(item) for item in capabilities)
    manifest = Manifest(name, "1", "entry", f"/adapters/{name}", Origin.PATH, "d", capabilities=declared)
    return Registry((manifest,), {item.name: (manifest,) for item in declared})


def plan(
    entry: PlanEntry,
    known: Registry,
    rules: Mapping[str, Any] | None = None,
    units: Sequence[Unit] = (),
    *,
    only: Sequence[str] = (),
    only_planned: bool = False,
) -> Plan:
    profile = Profile("p", dict(rules or {}))
    return build_plan(
        "t", entry, profile, units, known, entry_problem=lambda _: None, only=only, only_planned=only_planned
    )


EVERY = registry(
    "code:diff",
    "code:lint",
    "code:tests",
    "code:functions",
    "links:discover",
    "links:check",
    "links:resample",
    "my:own",
)


def test_the_order_of_the_plan_file_with_what_is_required_and_optional() -> None:
    found = plan(CODE, EVERY)
    assert found.names == ("code:diff", "code:lint")
    assert [item.required for item in found.capabilities] == [True, False]
    assert [item.reasons for item in found.capabilities] == [("plan of t",), ("plan of t",)]
    assert [item.needs for item in found.capabilities] == [(), ("code:diff",)]


def test_what_a_rule_or_a_unit_reads_is_planned_as_required_with_its_reason() -> None:
    found = plan(
        CODE,
        EVERY,
        {"tests_pass": True, "lint_clean": True, "skipped_max": None, "build_success": False},
        [Unit(UnitKind.FUNCTION, "foo"), Unit(UnitKind.URL, "https://a.example/"), Unit(UnitKind.STATEMENT, "1")],
    )
    by_name = {item.name: item for item in found.capabilities}
    assert list(by_name) == ["code:diff", "code:lint", "code:tests", "code:functions", "links:discover", "links:check"]
    assert by_name["code:tests"].required
    assert by_name["code:tests"].reasons == ("rule tests_pass",)
    # What the plan file calls optional stays optional, whatever reads it.
    assert not by_name["code:lint"].required
    assert by_name["code:lint"].reasons == ("plan of t", "rule lint_clean")
    assert by_name["code:functions"].reasons == ("claimed func",)
    assert by_name["links:discover"].reasons == ("read by links:check",)
    assert by_name["code:diff"].reasons == ("plan of t", "read by code:functions")


def test_required_artifacts_and_custom_rules_call_for_their_capabilities() -> None:
    rules = {
        "required_artifacts": ["tests.json", "my:own", "someone/elses.json"],
        "rules": [{"id": "r", "expr": 'artifacts["links/resample.json"].size() == 0'}],
    }
    found = plan(PlanEntry((), frozenset(), frozenset()), EVERY, rules)
    reasons = {item.name: item.reasons for item in found.capabilities}
    assert reasons["code:tests"] == ("required artifact tests.json",)
    assert reasons["my:own"] == ("required artifact my:own",)
    assert reasons["links:resample"] == ("custom rule r",)
    assert set(reasons) == {"code:tests", "my:own", "links:discover", "links:check", "links:resample"}


def test_an_empty_plan_stays_empty() -> None:
    assert plan(PlanEntry((), frozenset(), frozenset()), EVERY).capabilities == ()


def test_a_capability_without_a_provider_is_a_problem_that_names_the_nearest() -> None:
    found = plan(PlanEntry(("code:lnt",), frozenset({"code:lnt"}), frozenset()), EVERY)
    assert found.capabilities[0].provider is None
    assert "no adapter provides code:lnt; nearest: code:lint" in str(found.capabilities[0].problem)


def test_a_broken_entry_is_a_problem_and_never_falls_through_to_another_provider() -> None:
    first = Manifest("first", "1", "gone", "/a", Origin.PATH, "d", capabilities=(Capability("code:diff"),))
    second = Manifest("second", "1", "entry", "/b", Origin.BUILTIN, "d", capabilities=(Capability("code:diff"),))
    known = Registry((first, second), {"code:diff": (first, second)})
    found = build_plan(
        "t",
        PlanEntry(("code:diff",), frozenset({"code:diff"}), frozenset()),
        Profile("p"),
        (),
        known,
        entry_problem=lambda path: "its entry does not exist" if path == "/a/gone" else None,
    )
    assert found.capabilities[0].provider is first
    assert found.capabilities[0].problem == "adapter first: its entry does not exist: gone"


def test_needs_narrow_what_a_capability_waits_for_and_pull_in_what_is_missing() -> None:
    known = registry("a:one", Capability("a:two", needs=()), Capability("a:three", needs=("a:four",)), "a:four")
    entry = PlanEntry(("a:one", "a:two", "a:three"), frozenset({"a:one", "a:two"}), frozenset({"a:three"}))
    found = plan(entry, known)
    assert found.names == ("a:one", "a:two", "a:four", "a:three")
    needs = {item.name: item.needs for item in found.capabilities}
    assert needs == {"a:one": (), "a:two": (), "a:four": ("a:one", "a:two"), "a:three": ("a:four",)}
    assert not found.capabilities[2].required, "what only an optional capability needs is optional"


def test_what_a_required_capability_needs_is_required() -> None:
    known = registry("a:one", Capability("a:two", needs=("a:one",)))
    entry = PlanEntry(("a:one", "a:two"), frozenset({"a:two"}), frozenset({"a:one"}))
    found = {item.name: item.required for item in plan(entry, known).capabilities}
    assert found["a:two"]
    # The plan file's own word stands; the skipped dependant is an error of its own.
    assert not found["a:one"]


def test_a_dependency_cycle_is_a_problem_of_who_comes_first() -> None:
    known = registry(Capability("a:one", needs=("a:two",)), Capability("a:two", needs=("a:one",)))
    found = plan(PlanEntry(("a:one", "a:two"), frozenset({"a:one", "a:two"}), frozenset()), known)
    assert [item.problem for item in found.capabilities] == ["dependency cycle: a:two, a:one", None]


def test_needs_are_placed_right_before_who_declares_them() -> None:
    known = registry(Capability("a:one", needs=("a:four", "a:three")), "a:two", "a:three", "a:four")
    names = ("a:one", "a:two", "a:three", "a:four")
    found = plan(PlanEntry(names, frozenset(names), frozenset()), known)
    assert found.names == ("a:four", "a:three", "a:one", "a:two")
    assert found.capabilities[3].needs == ("a:four", "a:three", "a:one")


def test_long_chains_of_needs_are_placed_without_recursion() -> None:
    chain = [f"a:n{number}" for number in range(2000)]
    known = registry(*(Capability(name, needs=(need,)) for name, need in pairwise(chain)), chain[-1])
    found = plan(PlanEntry((chain[0],), frozenset(chain[:1]), frozenset()), known)
    assert found.names == tuple(reversed(chain))


def test_only_narrows_to_the_named_ones_and_what_they_declare_to_need() -> None:
    known = registry("a:one", "a:two", Capability("a:three", needs=("a:one",)), "a:four")
    entry = PlanEntry(("a:one", "a:two", "a:three"), frozenset({"a:one", "a:two", "a:three"}), frozenset())
    assert plan(entry, known, only=["a:three"]).names == ("a:one", "a:three")
    assert plan(entry, known, only=["a:two"]).names == ("a:two",)
    extra = plan(entry, known, only=["a:four"])
    assert extra.names == ("a:four",)
    assert extra.capabilities[0].reasons == ("asked for by --only",)


def test_only_what_is_planned_leaves_out_the_rest() -> None:
    known = registry("a:one", Capability("a:three", needs=("a:one",)), "a:four")
    entry = PlanEntry(("a:one", "a:three"), frozenset({"a:one", "a:three"}), frozenset())
    assert plan(entry, known, only=["a:three", "a:four"], only_planned=True).names == ("a:one", "a:three")
    assert plan(entry, known, only=["a:four"], only_planned=True).names == ()


def test_only_with_an_unknown_name_is_a_usage_error_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        plan(CODE, EVERY, only=["code:lnit"])
    assert caught.value.exit_code == 2
    assert "code:lint" in str(caught.value.hint)


def _tool(alias: str, *checks: tuple[str, tuple[str, ...], bool]) -> Manifest:
    declared = tuple(
        Capability(
            f"{alias}:{name}",
            triggers=triggers,
            destructive=destructive,
            outputs=(Output(f"{alias}/{name}/run.json"), Output(f"{alias}/{name}/lint.json", "verigate:lint.v1")),
        )
        for name, triggers, destructive in checks
    )
    return Manifest(alias, "1", f"{alias}.toml", "/adapters", Origin.BUILTIN, "d", capabilities=declared)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("bandit found no issues", {"bandit:scan"}),
        ("Lint is clean", set()),
        # code:lint calls it itself
        ("ruff reports 0 errors", set()),
        ("shellcheck is clean", set()),
        ("bandit should find no issues", set()),
    ],
)
def test_a_statement_about_a_tool_calls_for_the_check_of_that_tool(text: str, more: set[str]) -> None:
    own = Manifest(
        "code",
        "1",
        "e",
        "/adapters/code",
        Origin.BUILTIN,
        "d",
        (),
        (Capability("code:lint"),),
        SandboxPolicy(("ruff",)),
    )
    bandit = _tool(
        "bandit", ("scan", ("scan", "security"), False), ("fix", ("scan",), True), ("list", ("list",), False)
    )
    ruff = _tool("ruff", ("lint", ("lint",), False))
    manifests = (own, bandit, ruff)
    known = Registry(manifests, {each.name: (made,) for made in manifests for each in made.capabilities})
    entry = PlanEntry(("code:lint",), frozenset({"code:lint"}), frozenset())
    found = build_plan(
        "t",
        entry,
        Profile("p", {}),
        (),
        known,
        entry_problem=lambda _: None,
        statements=read_statements([Statement("s1", text)]),
    )
    assert {item.name for item in found.capabilities} - {"code:lint"} == more
    assert all(item.reasons == ("s1 of the claim",) for item in found.capabilities if item.name in more)


READS = Capability("code:tests", as_string=False, needs=(), reads=("code:coverage",))
MEASURES = Capability("code:coverage", as_string=False, needs=())
BOTH = PlanEntry(("code:tests", "code:coverage"), frozenset({"code:tests"}), frozenset({"code:coverage"}))


def test_what_is_read_comes_first_where_it_is_planned_and_is_not_planned_for_it() -> None:
    known = registry(READS, MEASURES)
    found = plan(BOTH, known)
    assert [(item.name, item.needs) for item in found.capabilities] == [
        ("code:coverage", ()),
        ("code:tests", ("code:coverage",)),
    ]
    alone = plan(BOTH, known, only=["code:tests"])
    assert [(item.name, item.needs) for item in alone.capabilities] == [("code:tests", ())]
    without = plan(PlanEntry(("code:tests",), frozenset({"code:tests"}), frozenset()), known)
    assert [(item.name, item.needs) for item in without.capabilities] == [("code:tests", ())]


@pytest.mark.parametrize("between", [(), ("my:own",)])
def test_what_needs_its_reader_is_not_waited_for(between: tuple[str, ...]) -> None:
    needing = Capability("code:coverage", as_string=False, needs=between or ("code:tests",))
    step = Capability("my:own", as_string=False, needs=("code:tests",))
    found = plan(BOTH, registry(READS, needing, step))
    by_name = {item.name: item for item in found.capabilities}
    assert found.names.index("code:tests") < found.names.index("code:coverage")
    assert by_name["code:tests"].needs == ()
    assert [item.problem for item in found.capabilities] == [None] * len(found.capabilities)


@pytest.mark.parametrize(
    ("changed", "planned"),
    [
        (["tests/test_a.py"], True),
        (["src/a.py"], False),
        (["src/lib.rs"], True),
        (["src/latest.py", "docs/contest.md", "protest/a.py"], False),
        (["a_test.go"], True),
        (["web/button.spec.tsx"], True),
        (["src/test/java/a/B.java", "a/BTest.java"], True),
        (["tests/data/prices.json"], True),
        (["conftest.py"], True),
        (["pyproject.toml"], True),
        (["__snapshots__/a.snap"], True),
        ([], False),
    ],
)
def test_tests_of_base_and_subject_are_compared_where_tests_may_have_changed(changed: list[str], planned: bool) -> None:
    known = registry("code:tests", "code:counterfactual")
    entry = PlanEntry(("code:tests",), ("code:tests",), ())

    def names(known: Registry) -> tuple[str, ...]:
        found = build_plan("t", entry, Profile("p", {}), (), known, entry_problem=lambda _: None, changed=changed)
        return found.names

    assert names(known) == (("code:tests", "code:counterfactual") if planned else ("code:tests",))
    assert names(registry("code:tests")) == ("code:tests",)


@pytest.mark.parametrize(
    ("changed", "quick", "only", "later"),
    [
        ((), False, (), ("code:counterfactual", "code:sensitivity")),
        ((), True, (), ("code:counterfactual",)),
        (("tests/test_a.py",), False, (), ()),
        ((), False, ("code:tests",), ()),
    ],
    ids=["all", "quick", "there", "asked"],
)
def test_a_plan_names_what_is_added_once_tests_change(
    changed: Sequence[str], quick: bool, only: Sequence[str], later: tuple[str, ...]
) -> None:
    known = registry("code:tests", "code:counterfactual", "code:sensitivity")
    entry = PlanEntry(("code:tests",), ("code:tests",), ())
    found = build_plan(
        *("t", entry, Profile("p", {}), (), known),
        entry_problem=lambda _: None, changed=changed, quick=quick, only=only,
    )  # fmt: skip
    assert found.added_with_tests == later


@pytest.mark.parametrize("runs", [True, False])
def test_docstrings_may_be_tests_where_the_runner_reads_them(runs: bool) -> None:
    known, entry = registry("code:tests", "code:counterfactual"), PlanEntry(("code:tests",), ("code:tests",), ())
    for path, planned in (("src/a.py", runs), ("src/a.go", False)):
        found = build_plan(
            *("t", entry, Profile("p", {}), (), known),
            entry_problem=lambda _: None,
            changed=(path,),
            runs_doctests=lambda: runs,
        )
        assert ("code:counterfactual" in found.names) == planned


@pytest.mark.parametrize(
    ("rules", "fixes", "units", "statements", "required"),
    [
        ({"fixes_proven": True}, True, (), (), True),
        ({"fixes_proven": True}, False, (), (), None),
        ({}, True, (), (), None),
        ({}, False, (Unit(UnitKind.FIX, "test_a"),), (), True),
        ({}, False, (), ("Fixed `test_a`.",), True),
        ({}, False, (), ("No behaviour change.",), True),
        ({"statements": "report"}, False, (), ("No behaviour change.",), False),
    ],
)
def test_a_fix_that_is_committed_or_claimed_needs_the_tests_of_base_and_subject(
    rules: Mapping[str, Any],
    fixes: bool,
    units: Sequence[Unit],
    statements: Sequence[str],
    required: bool | None,
) -> None:
    known = registry("code:diff", "code:tests", "code:counterfactual")
    entry = PlanEntry(("code:diff",), frozenset({"code:diff"}), frozenset())
    said = read_statements([Statement(f"statement:{number}", text) for number, text in enumerate(statements)])
    found = build_plan(
        "t", entry, Profile("p", rules), units, known, entry_problem=lambda _: None, statements=said, fixes=fixes
    )
    planned = {each.name: each.required for each in found.capabilities}
    assert planned.get("code:counterfactual") is required
