"""The manual page of ``gate``, made from its commands: ``man/gate.1``, which the wheel installs in ``share/man/man1``.

A test holds the file equal to what this module makes; ``.venv/bin/python tests/support/document_parts.py`` writes it.
The language is that of man(7); mandoc checks it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from verigate import __version__
from verigate.cli.app import COMMANDS, gate
from verigate.reporting.addresses import PUBLISHED
from verigate.reporting.exit_codes import EXIT_CODES

PATH = "man/gate.1"
_DATE = "2026-11-26"
"""The day of the version. Not today: the same commands make the same page."""


def make_man_page() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    root = click.Context(gate, info_name="gate", **gate.context_settings)
    yield f'.TH GATE 1 "{_DATE}" "gate {__version__}" "Verigate"\n.nh'
    yield ".SH NAME\ngate \\- verify that claimed work is done"
    yield ".SH SYNOPSIS\n.B gate\n.RI [ options ]\n.I command\n.RI [ arguments ]"
    yield ".SH DESCRIPTION"
    yield from _paragraphs(gate.help or "")
    yield ".SH OPTIONS"
    yield from _options(gate, root)
    yield ".SH COMMANDS"
    for name in COMMANDS:
        yield from _command((name,), root)
    yield ".SH EXIT STATUS"
    for code, text in EXIT_CODES.items():
        yield f".TP\n.B {code}\n{_text(f'{text.name}: {text.verify}')}"
    yield ".SH SEE ALSO\n.BR git (1)"
    if PUBLISHED:
        yield f".PP\n{_text(f'The documentation: {PUBLISHED}')}"


def _command(path: tuple[str, ...], parent: click.Context) -> Iterator[str]:
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, path[-1])
    assert command is not None
    context = click.Context(command, info_name=path[-1], parent=parent)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f'.SS "gate {" ".join(path)} {_quoted(usage)}"'
    yield from _paragraphs(command.help or "")
    yield from _options(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from _command((*path, name), context)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        # Arguments are in the first line.
        if record is not None and isinstance(parameter, click.Option):
            names, help_text = record
            yield f".TP\n.B {_text(names)}\n{_text(help_text)}"


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text))):
        if number:
            yield ".PP"
        yield _text(paragraph.replace("\b", ""))


def _text(text: str) -> str:
    """Return ``text`` as one line of roff that prints it as it is."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    line = line.replace("'", "\\(aq").replace("~", "\\(ti").replace("^", "\\(ha")
    line = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in line)
    return f"\\&{line}" if line.startswith(".") else line


def _quoted(text: str) -> str:
    return _text(text).replace('"', "\\(dq")
