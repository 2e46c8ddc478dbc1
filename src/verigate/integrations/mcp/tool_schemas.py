"""JSON Schemas of the tools' arguments and answers (2020-12, the dialect of the protocol).

The schemas of answers require the members that a reader builds on, and allow more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NOTHING = "nothing"
"""The status of a subject without any difference from its base, next to those of a verdict. It is not a pass."""

_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_TEXTS = {"type": "array", "items": _TEXT}

_LINE = r"^[^\x00-\x1f\x7f]+$"

TASK_ID = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{1,64}$",
    "description": "The task. Left out: the current one, else the implicit task of what differs from the base.",
    "$comment": "1 to 64 of the characters A-Z a-z 0-9 _ -",
}
CHECK = {
    "type": "string",
    "pattern": _LINE,
    "maxLength": 1000,
    "description": "One check of the verdict, by its id (code.tests_pass) or its end (tests_pass). Needs task_id.",
}
SUBJECT: Mapping[str, Any] = {
    "task_id": TASK_ID,
    "staged": {
        "type": "boolean",
        "description": "Verify the index, what the next commit would hold, and not the working tree.",
    },
    "ref": {
        "type": "string",
        "pattern": _LINE,
        "maxLength": 1000,
        "description": "Verify this commit (a name or an id), and not the working tree.",
    },
    "base": {
        "type": "string",
        "pattern": _LINE,
        "maxLength": 1000,
        "description": "Compare with this commit. Left out: the commitment's base, else HEAD.",
    },
    "profile": {
        "type": "string",
        "pattern": _LINE,
        "maxLength": 200,
        "description": "Judge by this profile. Left out: the one of the task's type.",
    },
    "only": {
        "type": "array",
        "items": {"type": "string", "pattern": r"^[^\x00-\x20\x7f,]+$", "maxLength": 200},
        "minItems": 1,
        "maxItems": 100,
        "description": "Run only these capabilities, such as code:tests. Never a pass: the verdict is inconclusive.",
    },
}


TASK_TYPE = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{1,64}$",
    "description": "The type whose profile is proven, such as code. Left out: code.",
}
QUESTION = {
    "type": "string",
    "minLength": 1,
    "maxLength": 2000,
    "description": "What the person has to decide, in a few sentences: what is so, what you would do, what you need.",
}


def argument_schema(properties: Mapping[str, Any], *, required: Sequence[str] = ()) -> dict[str, Any]:
    """Return the schema of a tool's arguments; those that aren't required are optional, others are refused."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": dict(properties), "additionalProperties": False, **needed}


def _object_schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list_schema(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": _object_schema(**properties)}


def verdict_schema(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer with a verdict; ``verdict`` is the schema of verdict.json."""
    inner = {name: member for name, member in verdict.items() if name not in {"$schema", "$id"}}
    return _object_schema(
        passed={"type": "boolean", "description": "True if and only if the status is pass."},
        status={"enum": ["pass", "fail", "error", "inconclusive", NOTHING]},
        verdict={"anyOf": [inner, {"type": "null"}]},
    )


PLAN = _object_schema(
    schema={"const": "verigate:plan-report.v1"},
    task_id=_TEXT,
    type=_TEXT,
    profile=_TEXT,
    capabilities=_list_schema(
        name=_TEXT,
        required={"type": "boolean"},
        reasons=_TEXTS,
        needs=_TEXTS,
        adapter=_TEXT_OR_NULL,
        problem=_TEXT_OR_NULL,
    ),
)
EXPLANATION = _object_schema(
    schema={"const": "verigate:explanation.v1"},
    task_id=_TEXT,
    status={"enum": ["pass", "fail", "error", "inconclusive"]},
    checks=_list_schema(
        id=_TEXT,
        outcome={"enum": ["holds", "refuted", "unknown", "not_applicable", "error"]},
        expected={},
        actual={},
        evidence=_list_schema(artifact=_TEXT, pointer=_TEXT, value={}, sha256=_TEXT),
        reproduce=_TEXTS,
    ),
)
TASKS = _object_schema(
    schema={"const": "verigate:tasks-report.v1"},
    tasks=_list_schema(
        task_id=_TEXT,
        type=_TEXT,
        status={"enum": ["pass", "fail", "error", "inconclusive", None]},
        finished=_TEXT_OR_NULL,
        current={"type": "boolean"},
        note=_TEXT,
    ),
)
ADAPTERS = _object_schema(
    schema={"const": "verigate:adapters-report.v1"},
    capabilities={"type": "object", "additionalProperties": _object_schema(served_by=_TEXT, origin=_TEXT)},
    adapters=_list_schema(name=_TEXT, version=_TEXT, origin=_TEXT, capabilities=_TEXTS),
    warnings=_TEXTS,
)
PROOFS = _object_schema(
    schema={"const": "verigate:proofs.v1"},
    proofs=_list_schema(
        rule=_TEXT,
        state={"enum": ["stopped", "missed", "open", "unproven"]},
        planted=_TEXT_OR_NULL,
        message=_TEXT,
    ),
)
PERSON = _object_schema(
    schema={"const": "verigate:person.v1"},
    action={"enum": ["accept", "decline", "cancel", "unavailable"]},
    answer=_TEXT_OR_NULL,
    approves={"const": False, "description": "An answer approves nothing: the gate decides as before."},
    note=_TEXT,
)
