"""Render the result of ``gate do``: the commands, the files they affect, the candidates."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from verigate.reporting.escape import escape
from verigate.reporting.palette import Palette

_COMMAND_LIMIT = 20_000


def render_commands(document: Mapping[str, Any]) -> str:
    """Render one command per line, quoted for a shell (none is used to run it)."""
    return "".join(f"{escape(shlex.join(line), limit=_COMMAND_LIMIT)}\n" for line in document["commands"])


def render_effects(document: Mapping[str, Any], *, colour: bool = False) -> str:
    """Render what would happen to which files, all of them, and the adapter's file if it came with the repository."""
    palette = Palette(colour)
    lines = [f"  {_format_effect(each, palette)}  {escape(each['path'])}" for each in document["effects"]]
    if document["from_repository"]:
        lines.append(f"  the adapter came with the repository: {escape(document['adapter_file'])}")
    return "".join(f"{line}\n" for line in lines)


def _format_effect(each: Mapping[str, Any], palette: Palette) -> str:
    if each["overwritten"]:
        return palette.paint("overwritten", "red")
    if each["effect"] == "removes":
        return palette.paint("removed", "red") if each["exists"] else "removed (not there)"
    if each["effect"] == "changes":
        return palette.paint("changed", "yellow") if each["exists"] else "changed (not there)"
    return "written (there already)" if each["exists"] else "written (new)"


def render_explained(document: Mapping[str, Any], *, colour: bool = False) -> str:
    """Render each candidate with its confidence, slot values, and the reason if it was rejected."""
    palette = Palette(colour)
    lines: list[str] = []
    for each in document["candidates"]:
        mark = palette.paint("chosen", "green") if each["chosen"] else ("fell" if each["fell"] else "stood")
        lines.append(f"{each['confidence']:.3f}  {escape(each['capability'])}  {mark}")
        lines += (f"       {line}" for line in _detail_lines(each))
    if not document["candidates"]:
        lines.append("no candidate: no adapter has a trigger among these words")
    if document["problem"] is not None:
        lines.append(palette.paint(f"refused: {escape(document['problem'])}", "yellow"))
        if document["hint"]:
            lines.append(f"  {escape(document['hint'])}")
    return "".join(f"{line}\n" for line in lines) + render_commands(document)


def _detail_lines(each: Mapping[str, Any]) -> Iterator[str]:
    for name, value in each["slots"].items():
        shown = ", ".join(value) if isinstance(value, list) else value
        yield f"{escape(name)} = {escape(shown)}"
    if each["fell"]:
        yield escape(each["fell"])
