"""Run ``gate do``, without click unless it has to ask."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from verigate.cli.output import say, use_colour, warn
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.execution.direct_run import CommandPreview
    from verigate.requests.fitting import Fit
    from verigate.requests.outcome import Selection


def run_do(words: tuple[str, ...], *, dry_run: bool, explain: bool, yes: bool, using: str | None, as_json: bool) -> int:
    """Choose the command that the words ask for, then show it or run it; return the exit code. Raises GateError."""
    from verigate.extras import find_lack
    from verigate.usecases import run_request

    # With a part of the libraries the same words could mean another command.
    if (lack := find_lack("do")) is not None:
        raise UsageError(lack.message, where="gate do", hint=lack.command)
    folder = os.getcwd()  # noqa: PTH109 - pathlib is slow to load
    request = _request(words)
    tools, warnings = run_request.index_tools(folder, os.environ)
    warn(warnings)
    selection = run_request.select_capability(request, tools, folder, using)
    if selection.rivals and not (dry_run or explain or as_json) and _is_terminal():
        selection = _ask_which(selection, tools)
    planned, problem, hint = None, selection.problem, selection.hint
    if selection.chosen is not None:
        planned, problem, hint = _preview(selection, folder)
    if explain:
        return _print_explanation(selection, planned, problem, hint, as_json=as_json)
    if planned is None:
        raise UsageError(problem or "nothing is chosen", where="WORDS", hint=hint)
    if dry_run:
        _show(selection, planned, as_json=as_json)
        return 0
    return _run(selection, planned, yes=yes, as_json=as_json)


def _request(words: tuple[str, ...]) -> str:
    """Join the arguments to one request; quote again those that contain spaces."""
    try:
        for word in words:
            word.encode()
    except UnicodeEncodeError:
        raise UsageError("the words are not UTF-8", where="WORDS", hint="name the file by a pattern") from None
    if len(words) == 1:
        return words[0]
    return " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask_which(selection: Selection, tools: Any) -> Selection:
    """Ask on the terminal which candidate to use; return the selection with it."""
    from verigate.reporting.escape import escape

    say(f"{selection.problem}\n", err=True)
    for number, rival in enumerate(selection.rivals, start=1):
        say(f"  {number}  {escape(rival.name)}  {escape(rival.capability.description)}\n", err=True)
    import click

    try:
        number = click.prompt("Which", type=click.IntRange(1, len(selection.rivals)), err=True)
    except click.Abort:
        raise KeyboardInterrupt from None
    chosen = selection.rivals[number - 1]
    trusted = all(
        tools.is_trusted(each) for each in tools.aliases[chosen.tool.alias] if tools.file(each) == chosen.origin
    )
    return selection._replace(chosen=chosen, problem=None, hint=None, rivals=(), is_trusted=trusted)


def _preview(selection: Selection, folder: str) -> tuple[CommandPreview | None, str | None, str | None]:
    from verigate.tools.slots import SlotsError
    from verigate.usecases import run_request

    chosen = selection.chosen
    if chosen is None:
        return None, selection.problem, selection.hint
    try:
        return run_request.preview_command(chosen, folder, is_trusted=selection.is_trusted), None, None
    except SlotsError as problem:
        said = "; ".join(fault.message for fault in problem.faults)
        return None, f"{chosen.name}: {said}", problem.faults[0].hint


def _print_explanation(
    selection: Selection, planned: CommandPreview | None, problem: str | None, hint: str | None, *, as_json: bool
) -> int:
    from verigate.reporting import do

    document = _document(selection, planned, problem=problem, hint=hint)
    document["candidates"] = [_candidate(fit, selection.chosen) for fit in selection.fits]
    if as_json:
        _print(document)
    else:
        say(do.render_explained(document, colour=use_colour(sys.stdout)))
    return 0 if planned is not None else UsageError.exit_code


def _show(selection: Selection, planned: CommandPreview, *, as_json: bool) -> None:
    from verigate.reporting import do

    document = _document(selection, planned)
    if as_json:
        _print(document)
        return
    say(do.render_commands(document))
    say(do.render_effects(document, colour=use_colour(sys.stderr)), err=True) if document["effects"] else None


def _run(selection: Selection, planned: CommandPreview, *, yes: bool, as_json: bool) -> int:
    from verigate.execution import direct_run
    from verigate.reporting import do

    document = _document(selection, planned)
    if planned.capability.destructive and not as_json:
        say(do.render_commands(document) + do.render_effects(document, colour=use_colour(sys.stderr)), err=True)
    if not direct_run.is_agreed(planned, yes=yes, terminal=_is_terminal() and not as_json, ask=_confirm):
        raise UsageError("nothing was run", hint="it runs after a yes, or with --yes")
    sys.stdout.flush()
    if as_json:
        # The document alone is on stdout; what the tool says goes to stderr.
        kept = os.dup(1)
        os.dup2(2, 1)
        try:
            code = direct_run.run_command(planned, os.environ)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        _print({**document, "ran": True, "exit_code": code})
    else:
        code = direct_run.run_command(planned, os.environ)
    if code != 0:
        say(f"gate: {planned.lines[0][0]} ended with {code}\n", err=True)
    return 0 if code == 0 else 1


def _confirm(_planned: CommandPreview) -> bool:
    import click

    try:
        return click.confirm("Run it?", default=False, err=True)
    except click.Abort:
        raise KeyboardInterrupt from None


def _document(
    selection: Selection, planned: CommandPreview | None, *, problem: str | None = None, hint: str | None = None
) -> dict[str, Any]:
    """Return the document that ``gate do --json`` prints."""
    chosen = selection.chosen
    return {
        "schema": "verigate:do.v1",
        "request": selection.request,
        "capability": chosen.name if chosen is not None else None,
        "adapter_file": chosen.origin if chosen is not None else None,
        "confidence": chosen.confidence if chosen is not None else None,
        "from_repository": not selection.is_trusted,
        "destructive": planned.capability.destructive if planned is not None else None,
        "commands": [list(line) for line in planned.lines] if planned is not None else [],
        "effects": [
            {
                "path": each.path,
                "effect": each.effect.value,
                "exists": each.exists,
                "overwritten": each.overwritten,
            }
            for each in (planned.effects if planned is not None else ())
        ],
        "problem": problem,
        "hint": hint,
        "ran": False,
        "exit_code": None,
    }


def _candidate(fit: Fit, chosen: Fit | None) -> dict[str, Any]:
    return {
        "capability": fit.name,
        "confidence": fit.confidence,
        "chosen": fit is chosen,
        "fell": fit.fell,
        "missing": list(fit.missing),
        "unread": list(fit.unread),
        "slots": {
            name: list(map(str, value)) if isinstance(value, list) else str(value) for name, value in fit.given.items()
        },
        "adapter_file": fit.origin,
    }


def _print(document: dict[str, Any]) -> None:
    """Print JSON on stdout; escape the bytes of a name that is not UTF-8."""
    import json

    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()
