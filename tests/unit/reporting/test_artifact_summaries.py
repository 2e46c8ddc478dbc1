"""What the runs of tests and mutants say of themselves in a few words."""

from __future__ import annotations

from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun
from verigate.reporting.artifact_summaries import ArtifactSummary, Finding, summarise_artifacts, summarise_run

CELLS: dict[str, tuple[dict[str, Any], ArtifactSummary | None]] = {
    "kept": (
        lf.counterfactual(lf.cell("a"), lf.cell("b")),
        ArtifactSummary("2 tests compared with the base"),
    ),
    "weakened": (
        lf.counterfactual(
            lf.cell("a"),
            lf.cell("b", "loosened", "PFPP", weakens="yes"),
            lf.cell("c", "not_comparable", "XXPP", weakens="open"),
        ),
        ArtifactSummary("3 tests compared with the base: 1 loosened, 1 not comparable", Finding.SOME),
    ),
    "nothing compared": (
        {**lf.counterfactual(), "unexamined": [{"path": "t.py", "why": "its runner left no report"}]},
        ArtifactSummary("no test could be compared with its base: its runner left no report", Finding.WARNINGS),
    ),
    "no test file changed": (
        lf.counterfactual(),
        ArtifactSummary("no test was compared with its base: no test file changed"),
    ),
    "tests as they were": (
        {**lf.counterfactual(), "changed": ["t.py"], "same": 2},
        ArtifactSummary("no test was compared with its base: each test of 1 changed file is as it was"),
    ),
    "nothing that runs": (
        {**lf.counterfactual(), "changed": ["t.py", "u.py"], "same": 0},
        ArtifactSummary(
            "no test was compared with its base: 2 changed files of tests have no test that runs on both sides"
        ),
    ),
}
POWER: dict[str, tuple[dict[str, Any], ArtifactSummary | None]] = {
    "held": (
        lf.sensitivity(asked=1, mutants=[lf.mutant("a", "a", 3), lf.mutant("a", "a", 4)]),
        ArtifactSummary("2 mutants still noticed"),
    ),
    "lost": (
        lf.sensitivity(asked=1, mutants=[lf.mutant("a", None)], lost_power=[{"path": "t.py", "test": "a"}]),
        ArtifactSummary("1 test lost what it noticed", Finding.SOME),
    ),
    "blind": (
        lf.sensitivity(unfailing=[{"new": True}, {"new": False}]),
        ArtifactSummary("1 test can't fail", Finding.SOME),
    ),
    "time was up": (
        lf.sensitivity(asked=2, unexamined=[{"path": ".", "why": "time was up"}]),
        ArtifactSummary(
            "whether 2 tests of changed files still notice faults isn't known: time was up", Finding.WARNINGS
        ),
    ),
    "time was up for some": (
        lf.sensitivity(
            asked=2,
            held=[{"path": "t.py", "test": "a", "mutants": 3}],
            mutants=[lf.mutant("a", "a", line) for line in (3, 4, 5)],
            unexamined=[{"path": ".", "why": "time was up"}],
        ),
        ArtifactSummary("3 mutants still noticed, not all was tried: time was up", Finding.WARNINGS),
    ),
    "changed lines": (
        lf.sensitivity(changed=lf.noticing("noticed", "unnoticed", "noticed")),
        ArtifactSummary("2 of 3 mutants of the change noticed"),
    ),
    "nothing asked": (lf.sensitivity(), ArtifactSummary("no changed test of base to try with mutants")),
}


def summarise(path: str, value: Any) -> ArtifactSummary | None:
    """Summarise a run with one artifact. What found something, or knows nothing, is also said of all together."""
    artifact = lf.artifact(path, value)
    found = summarise_run(CapabilityRun("code:any", True, artifacts=(artifact,)))
    serious = found is not None and (found.found is Finding.SOME or found.text.startswith("whether "))
    assert summarise_artifacts([artifact]) == ((replace(found, aside=False),) if found is not None and serious else ())
    return None if found is None else replace(found, aside=False)


@pytest.mark.parametrize("case", CELLS)
def test_cells_in_words(case: str) -> None:
    value, wanted = CELLS[case]
    assert summarise("counterfactual.json", value) == wanted


@pytest.mark.parametrize("case", POWER)
def test_power_in_words(case: str) -> None:
    value, wanted = POWER[case]
    assert summarise("sensitivity.json", value) == wanted


def test_one_change_that_several_detectors_see_is_counted_once() -> None:
    found = {"kind": "test_skipped", "path": "t.py", "id": "0123456789ab", "weight": "weakening"}
    other = {**found, "id": "ba9876543210", "path": "u.py"}
    said = [ArtifactSummary("1 change weakens the checks", Finding.SOME)]
    value = {"findings": [found, {**found, "rule": "test-skip"}], "files_examined": 2, "total": 2, "checks": ["tests"]}
    assert list(summarise_artifacts([lf.artifact("integrity.json", value)])) == said
    value["findings"] = [found, other]
    assert summarise_artifacts([lf.artifact("integrity.json", value)])[0].text == "2 changes weaken the checks"


def test_a_linter_that_is_not_there_is_named() -> None:
    missing = [{"what": "clippy", "path": path, "why": "cargo has no clippy"} for path in ("a", "b")]
    value = {**lf.ZERO["lint.json"], "tool": None, "missing": missing}
    assert summarise("lint.json", value) == ArtifactSummary("no linter was found; missing: clippy", Finding.SOME)
    value["unexamined"] = [{"what": "ruff", "path": ".", "why": "ruff is not installed"}]
    assert summarise("lint.json", value) == ArtifactSummary("no linter could run; missing: clippy", Finding.SOME)


def test_what_was_examined_is_said_where_nothing_was_found() -> None:
    clean = {"findings": [], "files_examined": 2, "total": 2, "checks": ["tests"]}
    assert summarise("integrity.json", clean) == ArtifactSummary("2 files examined, no weakening in what they say")
    unchanged = {**clean, "files_examined": 0, "total": 0}
    assert summarise("integrity.json", unchanged) == ArtifactSummary("no changed file to examine")
    assert not summarise_artifacts([lf.artifact("integrity.json", unchanged)])


@pytest.mark.parametrize(
    ("added", "changed", "text"),
    [(1, 0, "definitions: 1 added"), (2, 3, "definitions: 2 added, 3 changed"), (0, 0, "definitions: none changed")],
)
def test_how_many_definitions_changed(added: int, changed: int, text: str) -> None:
    functions = {"added": [{}] * added, "changed": [{}] * changed, "removed": []}
    value = {"functions": functions, "endpoints": {"added": [], "changed": [], "removed": []}}
    assert summarise("functions.json", value) == ArtifactSummary(text)


def test_what_was_looked_up_for_statements_is_counted() -> None:
    found = {"names": [{}, {}], "pins": [], "moved": [{}], "files": [], "total": 2}
    assert summarise("changes.json", found) == ArtifactSummary("looked up: 2 names, 1 moved or renamed")
    nothing = {"names": [], "pins": [], "moved": []}
    assert summarise("changes.json", nothing) == ArtifactSummary("nothing to look up")
