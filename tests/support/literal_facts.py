"""Facts written down as literals, for tests of the decision: no files, no processes, no mocks.

``GOOD``, ``BAD``, ``ZERO`` and absence are four states of the standard artifacts; ``THRESHOLDS`` is one threshold
per rule key, chosen so that GOOD bears every rule out and BAD refutes every one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from verigate.config.task_files import claim_from, commitment_from
from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.execution import CapabilityRun, Failure
from verigate.domain.facts import Facts
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability
from verigate.domain.profile import Profile
from verigate.domain.standard_artifacts import BY_PATH, STANDARD
from verigate.domain.subject import Change, ChangeKind, Subject, SubjectKind
from verigate.domain.task import Task, parse_unit
from verigate.errors import Fault
from verigate.statements.claims import read_statements

FOO = {"id": "func:foo", "name": "foo", "qualified": "foo", "kind": "function", "path": "a.py", "line": 1}
BAR = {"id": "func:bar", "name": "bar", "qualified": "bar", "kind": "function", "path": "b.py", "line": 1}
USERS = {
    "id": "endpoint:GET /users",
    "name": "users",
    "kind": "endpoint",
    "method": "GET",
    "route": "/users",
    "path": "a.py",
    "line": 4,
}


_CELLS = ("BB", "HB", "BH", "HH")


def functions(added: Sequence[Any] = (), endpoints: Sequence[Any] = (), **more: Any) -> dict[str, Any]:
    """A functions.json that says that these were added."""
    nothing: dict[str, list[Any]] = {"added": [], "changed": [], "removed": []}
    return {
        "functions": {**nothing, "added": list(added)},
        "endpoints": {**nothing, "added": list(endpoints)},
        "files_parsed": 1,
        "files_failed": [],
        "files_skipped": [],
        "matches": [],
        "total": len(added) + len(endpoints),
        **more,
    }


def cell(
    test: str,
    name: str = "kept",
    cells: str = "PPPP",
    *,
    weakens: str = "sensitivity",
    path: str = "t.py",
    weakening_id: str = "0123456789ab",
    **more: Any,
) -> dict[str, Any]:
    """A test of counterfactual.json: ``cells`` are its outcomes in BB, HB, BH and HH."""
    letters = dict(zip(_CELLS, cells, strict=True))
    own = {"path": path, "test": test, "class": name, "weakens": weakens, "cells": letters, "id": weakening_id}
    return {**own, **more}


def proof(executes: bool | None = True, control: str | None = "P", why: str = "") -> dict[str, Any]:
    """What is known of a test that is proven or fixed."""
    return {"executes": executes, "lines": ["a.py:1"] if executes else [], "control": control, "why": why}


def proven(test: str, **more: Any) -> dict[str, Any]:
    """A new test that fails on the code of base, and executes a changed line."""
    return cell(test, "proven", "NNFP", weakens="no", **{"proof": proof(), **more})


def counterfactual(*tests: Mapping[str, Any], control: str = "FFFF") -> dict[str, Any]:
    """A counterfactual.json of these tests; ``control`` is what the test did that must fail, by cell."""
    classes = sorted(str(test["class"]) for test in tests)
    return {
        "tests": list(tests),
        "counts": {name: classes.count(name) for name in classes},
        "total": len(tests),
        "changed": sorted({str(test["path"]) for test in tests}),
        "files": sorted({str(test["path"]) for test in tests}),
        "control": [{"cell": name, "outcome": outcome} for name, outcome in zip(_CELLS, control, strict=True)],
        "unexamined": [],
        "runs": 3,
        "same_files": 0,
        "written": [item for test in tests for item in _list_written(test)],
    }


def _list_written(test: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is written of a test: without a table, and at its own place in base, if it ran there."""
    was, cells = test.get("was"), test["cells"]
    if was is not None:
        return [written(was["test"], "base", path=was["path"]), written(test["test"], "head", path=test["path"])]
    place = "head" if set(cells["BB"]) == {"N"} else "base" if set(cells["HH"]) == {"N"} else "both"
    return [written(test["test"], place, path=test["path"])]


def written(test: str, place: str = "both", *, path: str = "t.py", **more: Any) -> dict[str, Any]:
    """A test that is written in base, head or both, where its text differs."""
    return {"path": path, "test": test, "in": place, "same": False, "table": "none", "parts": [], **more}


def sensitivity(**more: Any) -> dict[str, Any]:
    """A sensitivity.json that was asked about nothing."""
    lists: dict[str, Any] = {key: [] for key in ("lost_power", "held", "unfailing", "mutants", "unexamined")}
    return {"asked": 0, **lists, "unnoticed": 0, "unusable": 0, "changed": None, "places": [], **more}


def mutant(base: str, head: str | None, line: int = 3) -> dict[str, Any]:
    """A mutant of sensitivity.json that a test of base notices, and ``head`` of the subject, if any."""
    return {
        "path": "a.py",
        "line": line,
        "was_line": line,
        "operator": "arithmetic",
        "change": "a + b -> a - b",
        "base": [f"t.py::{base}"],
        "head": [] if head is None else [f"t.py::{head}"],
        "fate": "lost" if head is None else "noticed",
    }


def noticing(*fates: str, files: int = 1) -> dict[str, Any]:
    """Mutants of changed lines with these fates, as sensitivity.json has them."""
    mutants = [
        {
            "path": "a.py",
            "line": line,
            "operator": "constant",
            "change": "1 becomes 2",
            "unit": "foo",
            "head": ["t.py::test_a"] if fate == "noticed" else [],
            "fate": fate,
        }
        for line, fate in enumerate(fates, 1)
    ]
    return {"files": files, "mutants": mutants, "unusable": 0, "unexamined": []}


def place(fate: str, unit: str | None = "foo", why: str | None = None) -> dict[str, Any]:
    """A place of sensitivity.json in which the change may make code do something else."""
    return {"path": "a.py", "unit": unit, "fate": fate, "why": why}


def _coverage(covered: int, total: int, base: int) -> dict[str, Any]:
    def counts(found: int) -> dict[str, int]:
        return {"covered": found, "total": total}

    return {
        "pct": covered / total if total else 0,
        "lines": counts(covered),
        "functions": counts(0),
        "branches": counts(0),
        "base": {"pct": base / total, "lines": counts(base)} if total else None,
        "patch": patch_coverage(covered // 10, total // 10 if covered < base else covered // 10),
    }


def patch_coverage(covered: int, total: int, *unmeasured: str, measured: bool = True) -> dict[str, Any]:
    """The coverage of the changed lines of a.py, as coverage.json has it; of no file where there are none."""
    missed = list(range(covered + 1, total + 1))
    file = {"path": "a.py", "covered": covered, "total": total, "missed": missed, "measured": measured}
    return {
        "pct": covered / total if total else 0,
        "lines": {"covered": covered, "total": total},
        "files": [file] if total else [],
        "unmeasured": list(unmeasured),
    }


def _response(latency_ms: float) -> dict[str, Any]:
    return {"status": 200, "latency_ms": latency_ms, "body_sample": "{}"}


def integrity_finding(kind: str, path: str, weight: str, message: str, **more: Any) -> dict[str, Any]:
    """A finding of integrity.json."""
    finding_id = hashlib.sha256(f"{kind} {path} {message}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return {"id": finding_id, "kind": kind, "path": path, "test": None, "weight": weight, "message": message, **more}


def changes(*files: Mapping[str, Any], **lists: Any) -> dict[str, Any]:
    """Write changes.json: its files, and ``pins``, ``moved``, ``names``, ``words`` and ``unread``."""
    empty: dict[str, Any] = {"pins": [], "moved": [], "names": [], "words": [], "unread": []}
    return {"files": list(files), **empty, "total": len(files), **lists}


def file_entry(path: str, change: str = "modified", kind: str = "code", **more: Any) -> dict[str, Any]:
    """A file of changes.json."""
    return {"path": path, "from": None, "change": change, "kind": kind, "code": "differs", "edit": "other", **more}


GOOD: Mapping[str, Any] = {
    "diff.json": {"files_modified": [], "files_created": ["a.py"], "files_deleted": [], "total_changes": 1},
    "diff_names.json": {"added": ["a.py"], "modified": [], "deleted": []},
    "diffs.patch": "--- /dev/null\n+++ b/a.py\n",
    "lint.json": {"errors": 0, "warnings": 1, "files_checked": 3, "issues": [], "tool": "ruff"},
    "tests.json": {"passed": 5, "failed": 0, "skipped": 1, "total": 6, "duration": 12.5},
    "coverage.json": _coverage(90, 100, 90),
    "build.json": {"success": True, "errors": [], "warnings": []},
    "functions.json": functions([FOO], [USERS]),
    "changes.json": changes(file_entry("a.py", "added")),
    "integrity.json": {"findings": [], "files_examined": 1, "total": 1, "checks": ["tests"]},
    "counterfactual.json": counterfactual(cell("test_a"), proven("test_fix")),
    "sensitivity.json": sensitivity(
        asked=1,
        held=[{"path": "t.py", "test": "test_a", "mutants": 3}],
        mutants=[mutant("test_a", "test_a", line) for line in (3, 4, 5)],
        changed=noticing("noticed", "noticed"),
    ),
    "links/urlset.json": ["https://a.example/", "https://b.example/"],
    "links/statuses.json": {"https://a.example/": 200, "https://b.example/": 301},
    "links/resample.json": [{"url": "https://b.example/"}],
    "api/endpoints.json": {"discovered": ["GET /users"], "documented": ["GET /users"], "undocumented": []},
    "api/responses.json": {"GET /users": _response(10)},
    "api/schema.json": {"ok": True, "errors": [], "schema_hash": "abc"},
    "api/auth.json": {"methods": ["bearer"], "endpoints_protected": ["GET /users"], "endpoints_public": []},
    "api/rate_limits.json": {"limited": ["GET /users"], "probed": ["GET /users"]},
    "content/scan.json": {
        "files": [
            {"path": "a.md", "word_count": 60, "char_count": 300},
            {"path": "b.md", "word_count": 40, "char_count": 200},
        ]
    },
    "content/wordcount.json": {
        "files": [{"path": "a.md", "word_count": 60}, {"path": "b.md", "word_count": 40}],
        "rendered": True,
        "total": 100,
    },
    "content/headings.json": {"a.md": {"h1": ["Title"], "h2": ["Setup"], "h3": []}},
    "content/images.json": {
        "a.md": [
            {"src": "one.png", "alt": "One", "width": 1, "height": 1},
            {"src": "two.png", "alt": "Two", "width": None, "height": None},
        ]
    },
    "content/quotes.json": {"a.md": [{"text": "To be", "source": "Hamlet"}]},
}
"""Every standard artifact in a state that bears every rule of THRESHOLDS out."""

BAD: Mapping[str, Any] = {
    **GOOD,
    "diff.json": {"files_modified": [], "files_created": ["b.py", "c.py"], "files_deleted": [], "total_changes": 2},
    "diff_names.json": {"added": ["b.py", "c.py"], "modified": [], "deleted": []},
    "lint.json": {
        "errors": 1,
        "warnings": 2,
        "files_checked": 3,
        "issues": [
            {"path": "a.py", "line": 3, "severity": "error", "rule": "E1", "message": "bad"},
            {"path": "a.py", "line": 4, "severity": "warning", "rule": "W1", "message": "odd"},
            {"path": "a.py", "line": 5, "severity": "warning", "rule": "W1", "message": "odd"},
        ],
        "tool": "ruff",
    },
    "tests.json": {
        "passed": 1,
        "failed": 2,
        "skipped": 2,
        "total": 5,
        "duration": 12.5,
        "failures": [{"id": "t::one", "message": "no"}, {"id": "t::two", "message": "no"}],
    },
    "coverage.json": _coverage(50, 100, 90),
    "build.json": {"success": False, "errors": ["syntax error"], "warnings": []},
    "functions.json": functions([BAR]),
    "changes.json": changes(unread=[{"path": "a.py", "why": "a submodule"}]),
    "integrity.json": {
        "findings": [integrity_finding("test_skipped", "t.py", "weakening", "skipped")],
        "files_examined": 1,
        "total": 1,
        "checks": ["tests"],
    },
    "counterfactual.json": counterfactual(
        cell("test_a", "loosened", "PFPP", weakens="yes"), cell("test_fix", "unproven", "NNPP", weakens="no")
    ),
    "sensitivity.json": sensitivity(
        asked=1,
        lost_power=[
            {"path": "t.py", "test": "test_b", "id": "abcdef012345", "mutants": ["a.py:3: arithmetic: a + b -> a - b"]}
        ],
        mutants=[mutant("test_b", None)],
        changed=noticing("noticed", "unnoticed", "unnoticed"),
    ),
    "links/urlset.json": ["https://a.example/"],
    "links/statuses.json": {"https://b.example/": 404, "https://c.example/": "ENOTFOUND"},
    "links/resample.json": [{"url": "https://b.example/"}, {"url": "https://c.example/"}],
    "api/endpoints.json": {"discovered": ["GET /x"], "documented": [], "undocumented": ["GET /x"]},
    "api/responses.json": {"GET /x": _response(1000)},
    "api/schema.json": {"ok": False, "errors": [{"message": "id is missing"}], "schema_hash": "abc"},
    "api/auth.json": {
        "methods": [],
        "endpoints_protected": ["GET /x"],
        "endpoints_public": [],
        "violations": [{"endpoint": "GET /x"}],
    },
    "api/rate_limits.json": {"limited": [], "probed": ["GET /x"]},
    "content/scan.json": {"files": [{"path": "a.md", "word_count": 10, "char_count": 50}]},
    "content/wordcount.json": {"files": [{"path": "a.md", "word_count": 10}], "rendered": False, "total": 10},
    "content/headings.json": {"a.md": {"h1": [], "h2": ["Other"], "h3": []}},
    "content/images.json": {"a.md": [{"src": "one.png", "alt": "", "width": None, "height": None, "state": "missing"}]},
    "content/quotes.json": {"a.md": [{"text": "To be", "source": None}]},
}
"""The same artifacts, valid, in a state that refutes every rule of THRESHOLDS."""

ZERO: Mapping[str, Any] = {
    "diff.json": {"files_modified": [], "files_created": [], "files_deleted": [], "total_changes": 0},
    "diff_names.json": {"added": [], "modified": [], "deleted": []},
    "diffs.patch": "",
    "lint.json": {"errors": 0, "warnings": 0, "files_checked": 0, "issues": [], "tool": None},
    "tests.json": {"passed": 0, "failed": 0, "skipped": 0, "total": 0, "duration": 0},
    "coverage.json": _coverage(0, 0, 0),
    "build.json": {"success": False, "errors": [], "warnings": [], "tool": None},
    "functions.json": functions(files_parsed=0),
    "changes.json": changes(),
    "integrity.json": {"findings": [], "files_examined": 0, "total": 1, "checks": ["tests"]},
    "counterfactual.json": {**counterfactual(), "named": [{"test": "t.py::test_fix", "found": 0, "why": ""}]},
    "sensitivity.json": sensitivity(changed=noticing()),
    "links/urlset.json": [],
    "links/statuses.json": {},
    "links/resample.json": [],
    "api/endpoints.json": {"discovered": [], "documented": [], "undocumented": []},
    "api/responses.json": {},
    "api/schema.json": {"ok": True, "errors": [], "schema_hash": None},
    "api/auth.json": {"methods": [], "endpoints_protected": [], "endpoints_public": []},
    "api/rate_limits.json": {"limited": [], "probed": []},
    "content/scan.json": {"files": []},
    "content/wordcount.json": {"files": [], "total": 0},
    "content/headings.json": {},
    "content/images.json": {},
    "content/quotes.json": {},
}
"""Every standard artifact when its adapter found nothing to look at: valid facts, and no reason to pass."""

THRESHOLDS: Mapping[str, Any] = {
    "lint_clean": True,
    "lint_errors_max": 0,
    "lint_warnings_max": 1,
    "tests_pass": True,
    "tests_min": 5,
    "skipped_max": 1,
    "coverage_min": 0.8,
    "patch_coverage_min": 0.8,
    "coverage_drop_max": 0.05,
    "noticed_min": 0.5,
    "build_success": True,
    "units_match": True,
    "fixes_proven": True,
    "reject_unclaimed_changes": True,
    "integrity": True,
    "require_full_coverage": True,
    "failures_max": 0,
    "resample_max": 1,
    "links_min": 2,
    "schema_valid": True,
    "required_endpoints": ["GET /users"],
    "undocumented_max": 0,
    "auth_required": True,
    "latency_ms": {"p50": 100, "p95": 100, "p99": 100},
    "rate_limit_required": True,
    "word_min": 80,
    "words_rendered": True,
    "headings_required": ["h1", "Setup"],
    "images_min": 2,
    "images_found": True,
    "images_alt_required": True,
    "quotes_attributed": True,
    "files_min": 2,
}
"""One threshold per rule key that is judged against a standard artifact."""

SETTINGS: Mapping[str, Any] = {"treat_3xx_as_pass": True, "sandbox": "off"}

COMMITMENT: Mapping[str, Any] = {
    "task_id": "T1",
    "type": "every",
    "requirements": {"functions": ["foo"], "endpoints": ["GET /users"], "fixes": ["t.py::test_fix"]},
}
UNITS = ("file:a.py", "func:foo", "endpoint:GET /users")
ORDER = tuple(dict.fromkeys(standard.capability for standard in STANDARD))


def claim_document(*units: str, statements: Sequence[Any] = (), **body: Any) -> dict[str, Any]:
    """A claim of these units."""
    if units:
        body["units_list"] = list(units)
    if statements:
        body["statements"] = list(statements)
    return {"task_id": "T1", "claim": body}


def artifact(
    path: str,
    value: Any,
    *,
    producer: str | None = None,
    media_spec: str | None = None,
    volatile: Sequence[str] = ("/timestamp", "/duration", "/metadata"),
) -> Artifact:
    """One artifact as the evidence stage would hand it on; the standard ones know their spec and their producer."""
    standard = BY_PATH.get(path)
    is_json = not isinstance(value, str)
    content = json.dumps(value, sort_keys=True).encode() if is_json else value.encode()
    digest = hashlib.sha256(content).hexdigest()
    return Artifact(
        path=path,
        producer=producer or (standard.capability if standard else "other:check"),
        size=len(content),
        sha256=digest,
        digest=digest,
        media_spec=media_spec or (standard.media_spec if standard else None),
        volatile=tuple(volatile),
        is_json=is_json,
        value=value if is_json else None,
    )


def facts(
    rules: Mapping[str, Any] | None = None,
    artifacts: Mapping[str, Any] | Iterable[Artifact] = (),
    *,
    claim: Mapping[str, Any] | None = None,
    commitment: Mapping[str, Any] | None = None,
    claim_faults: Sequence[str] = (),
    failures: Mapping[str, tuple[str, bool]] | None = None,
    changed: Sequence[str] = ("a.py",),
    order: Sequence[str] | None = None,
    implicit: bool = False,
    changed_policy_files: Sequence[str] = (),
    policy_change_allowed: bool = False,
    only: Sequence[str] = (),
    kind: SubjectKind = SubjectKind.WORKTREE,
) -> Facts:
    """Facts of one run. ``failures`` maps capabilities to (reason code, required); ``claim`` None: none was made."""
    found = (
        [artifact(path, value) for path, value in artifacts.items()]
        if isinstance(artifacts, Mapping)
        else list(artifacts)
    )
    promised = commitment_from(commitment or {"task_id": "T1", "type": "code"})
    said = claim_from(claim, promised.type) if claim is not None else None
    if said is not None:
        said = replace(said, statements=read_statements(said.statements))
    faults = tuple(Fault(text) for text in claim_faults)
    units = None
    if said is not None and said.unit_ids is not None:
        units = tuple(parse_unit(text, lambda _: True) for text in said.unit_ids)
    by_producer: dict[str, list[Artifact]] = {}
    for item in found:
        by_producer.setdefault(item.producer, []).append(item)
    runs = [CapabilityRun(name, required=True, artifacts=tuple(items)) for name, items in by_producer.items()]
    for name, (reason, required) in (failures or {}).items():
        runs.append(CapabilityRun(name, required, failure=Failure(reason, f"{name} failed")))
    names = tuple(order if order is not None else (run.capability for run in runs))
    planned = tuple(PlannedCapability(run.capability, run.required, ("plan",)) for run in runs)
    folder = kind is SubjectKind.FOLDER
    return Facts(
        task=Task(promised.task_id, promised, said, faults, implicit),
        subject=Subject(
            kind,
            "/repository",
            None if folder else "b" * 40,
            "t" * 40,
            tuple(Change(path, ChangeKind.MODIFIED) for path in sorted(changed)),
        ),
        profile=Profile("p", dict(rules or {}), "d" * 64, "config/verification.profiles.json"),
        plan=Plan(promised.type, PlanEntry(names, frozenset(names), frozenset()), planned),
        runs=tuple(runs),
        evidence=Evidence({item.path: item for item in found}),
        units=units,
        changed_policy_files=tuple(changed_policy_files),
        policy_change_allowed=policy_change_allowed,
        only=frozenset(only),
    )
