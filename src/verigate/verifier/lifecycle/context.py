"""Phase 3: look up declared input files strictly, and render the prompt by a template in Jinja's sandbox."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.formats.near_names import suggest_nearest
from verigate.sdk.engine.template import render_template
from verigate.verifier.lifecycle.skill_keys import (
    InputKey,
    InvalidValueError,
    MissingInputError,
    ParameterKey,
    check_json_file,
    resolve_value,
)

__all__ = ["InvalidValueError", "MissingInputError", "render_prompt", "resolve_inputs", "resolve_parameters"]


def resolve_inputs(declared: Mapping[str, InputKey], uploads: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Build ``{{ input }}``: the absolute path of each declared file, other values as they are declared, and the rest.

    A declared file must have exactly that name in ``uploads`` and not be a link. Raises MissingInputError,
    InvalidValueError.
    """
    found: dict[str, Any] = {name: value for name, value in given.items() if name not in declared}
    for name, key in declared.items():
        if key.type != "file":
            found[name] = resolve_value(name, key, given, "input")
            continue
        path = uploads / name
        try:
            there = name in os.listdir(uploads) and stat.S_ISREG(path.lstat().st_mode)  # noqa: PTH208 - names alone
        except OSError:
            there = False
        if not there:
            hint = f"name it in inputs of the engine's options: {name} = the path of a file"
            raise MissingInputError(f"the input file {name!r} is missing", where=str(uploads), hint=hint)
        check_json_file(path, key.schema, f"the input file {name!r}")
        found[name] = str(path)
    return found


def resolve_parameters(
    declared: Mapping[str, ParameterKey], given: Mapping[str, Any], own: Mapping[str, Any]
) -> dict[str, Any]:
    """Build ``{{ parameter }}``: the gate's own and the declared ones. Raises UsageError for an undeclared one."""
    unknown = sorted(given.keys() - declared.keys())
    if unknown:
        hint = suggest_nearest(unknown[0], list(declared)) or f"declared: {', '.join(sorted(declared)) or 'none'}"
        raise InvalidValueError(f"the skill declares no parameter {unknown[0]!r}", hint=hint)
    return {**{name: resolve_value(name, key, given, "parameter") for name, key in declared.items()}, **own}


def render_prompt(template: str, *, inputs: Mapping[str, Any], parameters: Mapping[str, Any], shown: str) -> str:
    """Render the prompt. An undefined name is an error, not an empty string. Raises UsageError."""
    return render_template(template, {"input": dict(inputs), "parameter": dict(parameters)}, shown=shown)
