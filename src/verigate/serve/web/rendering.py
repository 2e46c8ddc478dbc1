"""Make pages from values: as HTML by templates in which nothing foreign can become markup, and as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from verigate.reporting.escape import escape, escape_value
from verigate.serve import addresses
from verigate.serve.task_state import TaskState

_OUTCOMES = {
    ("✓", "good"): "holds supported pass passed info",
    ("✗", "bad"): "refuted fail failed broken",
    ("!", "bad"): "error",
    ("?", "warn"): "unknown undecided inconclusive warning",
    ("!", "warn"): "warn",
    ("·", "dim"): "note",
}
_MARKS = {word: mark for mark, words in _OUTCOMES.items() for word in words.split()}


@cache
def templates() -> Environment:
    """Load the templates. A name that is missing is an error, and every value is escaped."""
    environment = Environment(
        loader=PackageLoader("verigate.serve.web"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        finalize=show,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "named": lambda text: text if str(text).strip() else "(no name)",
        "value": lambda value: escape_value(value, limit=600),
        "cut": _cut,
        "words": lambda text: str(text).replace("_", " "),
        "mark": lambda word: _MARKS.get(str(word), ("-", "dim"))[0],
        "colour": lambda word: _MARKS.get(str(word), ("-", "dim"))[1],
        "seconds": lambda number: f"{number:,.2f} s",
        "count": lambda number: f"{number:,}",
        "percent": lambda share: f"{100 * share:.1f} %",
        "day": lambda moment: name_moment(moment)[:10],
        "state": lambda state: TaskState(state).words if state in set(TaskState) else state,
    }
    environment.globals |= {
        "task_address": addresses.task_address,
        "check_anchor": addresses.check_anchor,
    }
    return environment


def load_templates() -> None:
    """Load and compile all templates, so that no page waits for it."""
    for name in templates().list_templates(extensions=["html"]):
        templates().get_template(name)


def show(value: Any) -> Any:
    """Make what a template shows visible: control characters, overrides of direction and the like are escaped.

    Markup that the templates themselves made stays as it is; everything else is escaped for HTML after this.
    """
    if value is None or hasattr(value, "__html__"):
        return "" if value is None else value
    text = str(value)
    return escape(text, limit=len(text))


def _cut(text: object, limit: int = 300) -> str:
    return escape(str(text), limit=limit)


def render_page(template: str, **values: Any) -> bytes:
    """Render a template, in UTF-8."""
    return templates().get_template(template).render(**values).encode("utf-8", "replace")


def encode_page(page: Any) -> bytes:
    """Encode a page's value as JSON, in ASCII: evidence may have text that UTF-8 has no place for."""
    return json.dumps(msgspec.to_builtins(page), indent=1).encode("ascii") + b"\n"


def name_moment(moment: int) -> str:
    """Name a moment in seconds since 1970 by date and time in UTC."""
    try:
        return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):
        return "?"
