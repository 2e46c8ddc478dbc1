from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from verigate.config import schemas
from verigate.config.builtin import PLAN_FILE, PROFILES_FILE, find_builtin_root
from verigate.config.plan_file import load_plan
from verigate.config.profiles import load_profiles
from verigate.config.validation import check_media, find_unknown_keys, validate
from verigate.domain.media import BUILTIN, resolve
from verigate.domain.rules import RULES
from verigate.domain.standard_artifacts import STANDARD
from verigate.domain.verdict import VERDICT_SCHEMA, Status, Units, Verdict

REPOSITORY = Path(__file__).parents[3]

# The examples of the source document, with its placeholders filled in, and the shapes of the built-in adapters.
EXAMPLES: dict[str, Any] = {
    "diff": {"files_modified": [], "files_created": ["a"], "files_deleted": [], "total_changes": 1},
    "diff-names": {"added": ["a"], "modified": [], "deleted": []},
    "lint": {"errors": 0, "warnings": 0, "files_checked": 3, "issues": []},
    "tests": {"passed": 2, "failed": 0, "total": 3, "skipped": 1, "duration": 12},
    "counterfactual": {
        "tests": [
            {
                "path": "tests/test_a.py",
                "test": "test_a",
                "was": None,
                "class": "loosened",
                "weakens": "yes",
                "cells": {"BB": "PP", "HB": "FF", "BH": "PP", "HH": "PP"},
                "why": "",
                "gone": [],
                "id": "0123456789ab",
            }
        ],
        "counts": {"loosened": 1},
        "total": 1,
        "changed": ["tests/test_a.py"],
        "files": ["tests/test_a.py"],
        "control": [{"cell": "BB", "outcome": "F"}],
        "unexamined": [],
        "runs": 2,
    },
    "sensitivity": {
        "asked": 1,
        "lost_power": [{"path": "t.py", "test": "test_b", "id": "0123456789ab", "mutants": ["a.py:3: a -> b"]}],
        "held": [{"path": "t.py", "test": "test_a", "mutants": 3}],
        "unfailing": [
            {"path": "t.py", "test": "test_c", "id": "0123456789ab", "line": 3, "change": "1 becomes 2", "new": False}
        ],
        "mutants": [
            {
                "path": "a.py",
                "line": 3,
                "was_line": 2,
                "operator": "constant",
                "change": "a -> b",
                "base": ["t.py::test_a"],
                "head": [],
                "fate": "lost",
            }
        ],
        "unnoticed": 0,
        "unusable": 0,
        "changed": {
            "files": 1,
            "mutants": [
                {
                    "path": "a.py",
                    "line": 3,
                    "operator": "constant",
                    "change": "1 becomes 2",
                    "unit": "total",
                    "head": [],
                    "fate": "unnoticed",
                }
            ],
            "unusable": 0,
            "unexamined": [],
        },
        "unexamined": [{"path": ".", "why": "time was up"}],
    },
    "coverage": {
        "pct": 0.93,
        "lines": {"covered": 93, "total": 100},
        "functions": {"covered": 0, "total": 0},
        "branches": {"covered": 0, "total": 0},
    },
    "build": {"success": True, "errors": [], "warnings": []},
    "functions": {
        "functions": {
            "added": [{"id": "func:a", "name": "a", "kind": "function", "path": "a.py", "line": 1}],
            "changed": [],
            "removed": [],
        },
        "endpoints": {"added": [], "changed": [], "removed": []},
        "files_parsed": 1,
        "total": 1,
    },
    "changes": {
        "files": [
            {"path": "a.py", "from": None, "change": "added", "kind": "code", "code": "differs", "edit": "other"},
        ],
        "pins": [
            {
                "role": "dependency",
                "ecosystem": "pypi",
                "name": "click",
                "path": "pyproject.toml",
                "change": "changed",
                "from": ["8.0"],
                "to": ["8.1"],
                "from_remarks": [],
                "to_remarks": [],
                "locked": False,
            }
        ],
        "moved": [{"kind": "function", "from": "f", "to": "f", "from_path": "a.py", "to_path": "b.py"}],
        "names": [
            {
                "name": "total",
                "folded": False,
                "before": {"code": 0, "test": 0, "docs": 0, "comment": 0, "other": 0},
                "after": {"code": 1, "test": 0, "docs": 0, "comment": 0, "other": 0},
                "unchanged_files": 0,
                "changed": 1,
                "touched": 1,
                "defined": [0, 1],
                "deprecating": 0,
                "inside": [{"symbol": "total", "path": "a.py", "before": 0, "after": 1}],
                "paths": ["a.py"],
            }
        ],
        "words": [{"kind": "docs", "text": "install guide", "found": ["install"], "missing": ["guide"], "lines": 2}],
        "unread": [{"path": "b.bin", "why": "3000000 bytes, more than 2097152"}],
        "total": 1,
    },
    "integrity": {"findings": [], "files_examined": 1, "total": 1, "checks": ["test_deleted"]},
    "urlset": ["https://a.example/", "https://b.example/"],
    "statuses": {"https://a.example/": 200, "https://b.example/": "timeout"},
    "resample": {"https://b.example/": [{"status": 200}]},
    "endpoints": {"discovered": ["GET /a"], "documented": [{"method": "GET", "path": "/a"}], "undocumented": []},
    "responses": {"GET /a": {"status": 200, "latency_ms": 3.5, "body_sample": "{}"}},
    "api-schema": {"ok": True, "errors": [], "schema_hash": "abc"},
    "auth": {"methods": ["bearer"], "endpoints_protected": ["GET /a"], "endpoints_public": []},
    "rate-limits": {"limited": []},
    "scan": {"files": [{"path": "a.md", "word_count": 3, "char_count": 12}]},
    "wordcount": {"files": [{"path": "a.md", "word_count": 3}], "total": 3},
    "headings": {"a.md": {"h1": ["Title"], "h2": [], "h3": []}},
    "images": {"a.md": [{"src": "a.png", "alt": None, "width": 3, "height": None}]},
    "quotes": {"a.md": [{"text": "To be", "source": "Hamlet"}]},
}


def _spec(name: str) -> str:
    return f"verigate:{name}.v1"


def test_every_standard_json_artifact_has_a_schema_and_an_example() -> None:
    with_schema = {item.media_spec for item in STANDARD if schemas.load_artifact_schema(item.media_spec) is not None}
    assert with_schema == {item.media_spec for item in STANDARD if item.path.endswith(".json")}
    assert with_schema == {_spec(name) for name in EXAMPLES}
    assert schemas.load_artifact_schema("verigate:diffs-patch.v1") is None
    assert schemas.load_artifact_schema("verigate:plan.v1") is None


def test_every_schema_is_valid_and_named_by_its_address() -> None:
    assert set(schemas.list_schemas()) == {*EXAMPLES, *schemas.KINDS}
    for name in schemas.list_schemas():
        document = schemas.load_schema(name)
        assert document["$id"] == f"https://verigate.invalid/schemas/{name}.v1.json"
        assert document["title"]
        jsonschema_rs.meta.validate(dict(document))
        assert schemas.find_schema(document["$id"]) == document


def test_what_editors_read_is_the_schema_of_the_package() -> None:
    package = Path(schemas.__file__).parent / "schemas"
    # The schema of two kinds in one is made from theirs, and held equal by test_tools_in_editors.
    links = [path for path in (REPOSITORY / "schemas").iterdir() if path.name != "adapter-toml.schema.json"]
    assert len(links) >= 4
    for link in links:
        assert not link.readlink().is_absolute()
        assert link.resolve().parent == package
        name = link.resolve().name.removesuffix(".v1.schema.json")
        assert schemas.bundle_schema(name) == schemas.load_schema(name), "an editor reads nothing but this file"


def test_every_file_of_this_repository_names_a_schema_that_is_there() -> None:
    for path in (REPOSITORY / "config").glob("*.json"):
        assert (path.parent / json.loads(path.read_bytes())["$schema"]).is_file(), path


def test_a_complete_schema_needs_no_other() -> None:
    validator = jsonschema_rs.Draft202012Validator(schemas.bundle_schema("commitment"), offline=True)
    minimal = {"task_id": "T_test", "type": "code"}
    assert validator.is_valid(minimal)
    assert not validator.is_valid({**minimal, "commitments": {"quality": {"coverage_min": 80}}})


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_examples_are_valid_with_more_fields_and_invalid_with_fewer(name: str) -> None:
    example = EXAMPLES[name]
    assert validate(_spec(name), example) == ()
    assert check_media(BUILTIN[_spec(name)], example) == ()
    required = schemas.load_schema(name).get("required", [])
    if isinstance(example, dict) and required:
        assert validate(_spec(name), {**example, "anything_else": {"x": 1}}) == ()
        for key in required:
            fewer = {other: value for other, value in example.items() if other != key}
            assert validate(_spec(name), fewer), f"{name} without {key}"
    wrong: Any = {} if isinstance(example, list) else []
    if name not in {"diff-names", "resample"}:  # these two may be lists
        assert validate(_spec(name), wrong)


@pytest.mark.parametrize(
    ("name", "pointer", "value"),
    [
        ("lint", "errors", -1),
        ("lint", "errors", True),
        ("lint", "errors", "0"),
        ("lint", "errors", 0.5),
        ("lint", "issues", ["text"]),
        ("tests", "passed", None),
        ("coverage", "pct", 93),
        ("coverage", "pct", -0.1),
        ("coverage", "lines", {}),
        ("build", "success", "true"),
        ("integrity", "checks", []),
        (
            "integrity",
            "findings",
            [{"id": "0" * 12, "kind": "k", "path": "p", "test": None, "message": "m", "weight": "high"}],
        ),
        ("statuses", "https://a.example/", None),
        ("headings", "a.md", {"h1": "Title", "h2": [], "h3": []}),
        ("scan", "files", [{"path": "a.md"}]),
    ],
)
def test_wrong_values_are_refused_at_their_place(name: str, pointer: str, value: Any) -> None:
    faults = validate(_spec(name), {**EXAMPLES[name], pointer: value})
    assert faults
    escaped = pointer.replace("/", "~1")
    assert all((fault.pointer or "").startswith(f"/{escaped}") for fault in faults)


def test_a_table_can_not_take_a_standard_schema_away() -> None:
    spec = resolve("verigate:lint.v1", {"verigate:lint.v1": {"media_type": "application/json", "schema": {}}})
    assert check_media(spec, {"errors": 0})
    added = {"media_type": "application/json", "schema": {"required": ["mine"]}}
    spec = resolve("verigate:lint.v1", {"verigate:lint.v1": added})
    assert [fault.message for fault in check_media(spec, EXAMPLES["lint"])] == ["the key 'mine' is missing"]


@pytest.mark.parametrize("schema", [{"$ref": "https://example.com/s"}, {"type": "nonsense"}])
def test_a_schema_that_can_not_be_used_is_a_fault(schema: dict[str, Any]) -> None:
    spec = resolve("my:x.v1", {"my:x.v1": {"media_type": "application/json", "schema": schema}})
    (fault,) = check_media(spec, {})
    assert "the schema of my:x.v1" in fault.message


def test_the_profile_schema_knows_exactly_the_rule_keys() -> None:
    assert set(schemas.load_schema("profiles")["$defs"]["rules"]["properties"]) == set(RULES)
    quality = schemas.load_schema("commitment")["properties"]["commitments"]["properties"]["quality"]
    assert set(quality["properties"]) == set(RULES)


@pytest.mark.parametrize(("kind", "relative"), [("plan", PLAN_FILE), ("profiles", PROFILES_FILE)])
def test_the_shipped_files_are_valid(kind: str, relative: str) -> None:
    source = (find_builtin_root() / relative).read_bytes()
    assert validate(kind, json.loads(source), source=source) == ()


def test_every_shipped_type_has_three_grades_that_resolve_to_active_rules() -> None:
    root = find_builtin_root()
    plan, profiles = load_plan(root, root), load_profiles(root, root)
    assert set(profiles.names) == {f"{name}{grade}" for name in plan for grade in ("", "_strict", "_prototype")}
    for name in profiles.names:
        profile = profiles.resolve(name)
        assert profile.description
        assert set(profile.rules) <= set(RULES)
        assert any(not RULES[key].setting and value not in {None, False} for key, value in profile.rules.items())


def test_the_plan_of_the_source_document_is_shipped_as_it_stands() -> None:
    shipped = json.loads((find_builtin_root() / PLAN_FILE).read_bytes())
    assert shipped["code_update"] == {
        "order": ["code:diff", "code:lint", "code:tests", "code:coverage", "code:build"],
        "required": ["code:diff", "code:lint"],
        "optional": ["code:tests", "code:coverage", "code:build"],
    }
    assert {"code", "link_check", "content", "api_test", "db_update", "unknown", "docs", "release"} < set(shipped)


def test_the_manifest_of_the_source_document_is_valid_and_older_fields_are_known() -> None:
    manifest: dict[str, Any] = {
        "name": "code-adapter",
        "version": "1.0.0",
        "description": "Code verification adapter for diff, lint, tests, and coverage",
        "entry": "bin/adapter-code",
        "capabilities": ["code:diff", "code:lint", "code:tests", "code:coverage", "code:build"],
        "sandbox": {"tools": ["git", "npm", "node", "eslint", "jest"], "timeout": 60, "network": False},
    }
    assert validate("manifest", manifest) == ()
    older: dict[str, Any] = {
        "schema": "x",
        "author": "A",
        "license": "MIT",
        "requires": {"node": ">=18"},
        "deterministic": True,
        "outputs": {"code:diff": {"file": "diff.json", "schema": "diff"}},
        "metadata": {"a": 1},
        "sandbox": {"timeout_ms": 1000, "memory_mb": 64, "filesystem": "readonly"},
    }
    assert validate("manifest", {**manifest, **older}) == ()
    assert find_unknown_keys("manifest", {**manifest, **older}) == ()
    (warning,) = find_unknown_keys("manifest", {**manifest, "capabilites": []})
    assert warning.hint == "did you mean 'capabilities'?"
    (fault,) = validate("manifest", {**manifest, "capabilities": ["lint"]})
    assert fault.pointer == "/capabilities/0"


def test_a_verdict_fits_its_schema() -> None:
    verdict = Verdict("T", "code", Status.PASS, "facts", (), (), Units(), {}, {}, {})
    assert validate(VERDICT_SCHEMA, verdict.document()) == ()
    assert validate("verdict", {**verdict.document(), "status": "passed"})


def test_names_are_never_joined_to_a_path() -> None:
    with pytest.raises(KeyError):
        schemas.load_schema("../schemas/plan")
    assert schemas.find_schema("https://verigate.invalid/schemas/../../etc/passwd.v1.json") is None
    assert schemas.find_schema("https://example.com/plan.v1.json") is None
