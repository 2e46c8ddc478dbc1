"""Phase 3: look up declared input files strictly, and render the prompt by a template in Jinja's sandbox."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verigate.errors import UsageError


class MissingInputError(UsageError):
    """A declared input file is missing. A value given in its place is never used as its content."""

    code = "MISSING_INPUT"


def resolve_inputs(declared: Mapping[str, str], uploads: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Build ``{{ input }}``: the absolute path of each declared file, and the undeclared values of ``given``.

    A declared file must have exactly that name in ``uploads`` and not be a link. Raises MissingInputError.
    """
    found: dict[str, Any] = {name: value for name, value in given.items() if name not in declared}
    for name in declared:
        path = uploads / name
        try:
            there = name in os.listdir(uploads) and stat.S_ISREG(path.lstat().st_mode)  # noqa: PTH208 - names alone
        except OSError:
            there = False
        if not there:
            hint = f"name it in inputs of the engine's options: {name} = the path of a file"
            raise MissingInputError(f"the input file {name!r} is missing", where=str(uploads), hint=hint)
        found[name] = str(path)
    return found


def render_prompt(template: str, *, inputs: Mapping[str, Any], parameters: Mapping[str, Any], shown: str) -> str:
    """Render the prompt. An undefined name is an error, not an empty string. Raises UsageError."""
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    try:
        return environment.from_string(template).render(input=dict(inputs), parameter=dict(parameters))
    except (TemplateError, RecursionError, OverflowError, ArithmeticError, TypeError, ValueError) as problem:
        raise UsageError(f"the prompt's template can't be rendered: {problem}", where=shown) from problem
