"""A page for each reason code: what it means, an example that a run printed, and how to settle it honestly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from document_site.reason_runs import Example
from verigate.domain.rules import RULES
from verigate.reporting.reasons import REASONS
from verigate.reporting.settling import SETTLING

_INDEX = """# Reason codes

A check that doesn't hold has one of these as its `reason`. `gate explain CODE` prints what a page says, offline.
[Exit codes and reason codes](../reason-codes.md) has the gate's own checks and the errors without a verdict.

| code | from | what it means |
| --- | --- | --- |"""


def write_reason_pages(staged: Path, examples: Mapping[str, Example]) -> None:
    """Write ``reasons/CODE.md`` for every reason code, and their index."""
    folder = staged / "reasons"
    folder.mkdir()
    for code in REASONS:
        (folder / f"{code}.md").write_text("\n".join(_page(code, examples.get(code))) + "\n", "utf-8")
    rows = [
        f"| [`{code}`]({code}.md) | {text.source} | {_cell(text.meaning)} |" for code, text in sorted(REASONS.items())
    ]
    (folder / "index.md").write_text("\n".join([_INDEX, *rows]) + "\n", "utf-8")


def _page(code: str, example: Example | None) -> Iterator[str]:
    text = REASONS[code]
    yield f"# {code}\n\n{_sentence(text.meaning)}\n"
    yield f"Given by: {text.source}. [All reason codes](index.md), [what the gate checks](../rules.md).\n"
    yield "## Settle it\n"
    yield from (f"- {step}" for step in SETTLING[code])
    yield "\n## An example\n"
    if example is None:
        yield "No check fails with this code."
        return
    yield f"{example.about} These lines were printed by the command, and a test runs it.\n"
    yield f"```text\n$ {example.command}\n{example.printed}\n```"
    if (key := _rule_key(example.command)) is not None:
        yield f"\nThe rule is `{key}` of the profile: [rule keys](../rules.md#rule-keys)."


def _rule_key(command: str) -> str | None:
    found = re.search(r" [a-z]+\.([a-z_]+)$", command)
    return found[1] if found and found[1] in RULES else None


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
