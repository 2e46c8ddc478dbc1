"""What checks documents by schemas independently of the gate, which has a validator in Rust.

Importing jsonschema takes seconds where check-jsonschema is installed, so no module does it to be collected.
"""

from __future__ import annotations

from typing import Any


def check_by_schema(value: object, schema: dict[str, Any]) -> None:
    """Raise jsonschema.ValidationError if ``value`` doesn't fit the schema (draft 2020-12)."""
    from jsonschema import Draft202012Validator

    Draft202012Validator(schema).validate(value)


def schema_of_a_service(name: str) -> dict[str, Any]:
    """One of the schemas that check-jsonschema comes with, like ``github-workflows``."""
    from check_jsonschema.builtin_schemas import get_builtin_schema

    found: dict[str, Any] = get_builtin_schema(f"vendor.{name}")
    return found
