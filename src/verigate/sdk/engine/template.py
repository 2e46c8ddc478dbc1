"""Render the template of a prompt in Jinja's sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.errors import UsageError


def render_template(template: str, values: Mapping[str, Any], *, shown: str = "the template") -> str:
    """Render a Jinja template: ``{{ name }}``. A name that isn't there is an error, not an empty text.

    The template can't reach Python. Raises UsageError, which names ``shown``.
    """
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    try:
        return environment.from_string(template).render(**values)
    except (TemplateError, RecursionError, OverflowError, ArithmeticError, TypeError, ValueError) as problem:
        raise UsageError(f"the prompt's template can't be rendered: {problem}", where=shown) from problem
