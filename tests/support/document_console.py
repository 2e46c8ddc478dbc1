"""The commands of a page, run as a reader would run them.

In a page, a fenced ``console`` block holds commands (``$ `` begins one, ``> `` continues it) and what they print.
``<!-- start: NAME -->`` says in what kind of folder a page begins; ``<!-- file: PATH -->`` above a fenced block writes
that block to a file, ``<!-- file: PATH; schema: KIND -->`` also holds it against a schema.

A command must end with 0 unless the next one is ``echo $?``. Output that is shown must be there line by line; a line
``…`` stands for lines that are left out, ``…`` after a blank for the rest of a line. Times, ids and temporary folders
may differ.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_DIRECTIVE = re.compile(r"<!-- (start|file|schema): (.+?) -->")
_FENCE = re.compile(r"(```+)(\w*)$")
_STATUS = re.compile(r"\x1e(\d+) (\d+)\n")
_VARYING = (
    (re.compile(r"(?:/tmp|/dev/shm)/[^\s:'\"]*"), "/tmp/…"),  # noqa: S108 - a pattern, nothing is written there
    (re.compile(r"\b[0-9a-f]{7,64}\b"), "<id>"),
    (re.compile(r"\b\d+\.\d+ s\b"), "<time>"),
    (re.compile(r"\s+"), " "),
)


@dataclass(frozen=True)
class Block:
    """A fenced block. ``line`` counts from 1; ``file`` and ``schema`` are those of the directive above it."""

    language: str
    lines: tuple[str, ...]
    line: int
    file: str | None = None
    schema: str | None = None

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


@dataclass(frozen=True)
class Command:
    """One command of a console block with the output that the page shows (empty: none is shown)."""

    text: str
    line: int
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page of documentation. ``start`` names the folder its commands begin in, None: it has nothing to run."""

    path: Path
    blocks: tuple[Block, ...]
    start: str | None = None
    steps: tuple[Block | Command, ...] = field(default=())


def read_page(path: Path) -> Page:
    """The blocks and steps of a page."""
    start, blocks = None, []
    wanted: dict[str, str] = {}
    lines = iter(enumerate(path.read_text("utf-8").splitlines(), start=1))
    for number, line in lines:
        if fence := _FENCE.fullmatch(line):
            body = []
            for _, inner in lines:
                if inner == fence[1]:
                    break
                body.append(inner)
            blocks.append(Block(fence[2], tuple(body), number, wanted.get("file"), wanted.get("schema")))
            wanted = {}
        elif directive := _DIRECTIVE.fullmatch(line):
            first, *more = directive[2].split("; ")
            if directive[1] == "start":
                start = first
            else:
                wanted = {directive[1]: first, **dict(item.split(": ", 1) for item in more)}
    steps = tuple(step for block in blocks for step in _steps(block))
    return Page(path, tuple(blocks), start, steps)


def _steps(block: Block) -> Iterator[Block | Command]:
    if block.file is not None:
        yield block
    elif block.language == "console":
        yield from _commands(block)


def _commands(block: Block) -> Iterator[Command]:
    text, place = "", block.line
    shown: list[str] = []
    for number, line in enumerate(block.lines, start=block.line + 1):
        if line.startswith("$ "):
            if text:
                yield Command(text, place, tuple(shown))
            text, shown, place = line[2:], [], number
        elif line.startswith("> ") and not shown:
            text += "\n" + line[2:]
        else:
            shown.append(line)
    if text:
        yield Command(text, place, tuple(shown))


@dataclass(frozen=True)
class Ran:
    """What came of one command."""

    command: Command
    code: int
    output: tuple[str, ...]


def run_page(page: Page, folder: Path, environ: Mapping[str, str], scratch: Path) -> list[Ran]:
    """Run every step of ``page`` in ``folder``, one after the other, in one shell. ``scratch`` is empty."""
    commands = [step for step in page.steps if isinstance(step, Command)]
    script = scratch / "script"
    script.write_text("".join(_script(page.steps, scratch)), "utf-8")
    done = subprocess.run(
        ("bash", "--noprofile", "--norc", script),
        cwd=folder, env=dict(environ), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False, timeout=900,
    )  # fmt: skip
    pieces = _STATUS.split(os.fsdecode(done.stdout))
    assert len(pieces) == 3 * len(commands) + 1, f"{page.path}: the shell ended early:\n{os.fsdecode(done.stdout)}"
    return [
        Ran(command, int(pieces[3 * number + 2]), tuple(pieces[3 * number].splitlines()))
        for number, command in enumerate(commands)
    ]


def _script(steps: Sequence[Block | Command], scratch: Path) -> Iterator[str]:
    number = 0
    for step in steps:
        if isinstance(step, Command):
            told = f"printf '\\036%d %d\\n' {number} $__status"
            yield f"{{\n{step.text}\n}} </dev/null\n__status=$?\n{told}\n(exit $__status)\n"
            number += 1
        else:
            source = scratch / f"file-{step.line}"
            source.write_text(step.text, "utf-8")
            source.chmod(0o755 if step.text.startswith("#!") else 0o644)
            target = shlex.quote(str(step.file))
            yield f'mkdir -p -- "$(dirname -- {target})" && cp -p -- {shlex.quote(str(source))} {target}\n'


def faults(page: Page, ran: Sequence[Ran]) -> list[str]:
    """Where the page says something else than what happened."""
    found = []
    for number, item in enumerate(ran):
        asks_for_it = number + 1 < len(ran) and ran[number + 1].command.text == "echo $?"
        where = f"{page.path.name}:{item.command.line}: $ {item.command.text}"
        said = "\n".join(item.output)
        if item.code != 0 and not asks_for_it:
            found.append(f"{where}\n  ended with {item.code}:\n{said}")
        elif problem := _differs(item.command.shown, item.output):
            found.append(f"{where}\n  {problem}\n  it printed:\n{said}")
    return found


def _differs(shown: Sequence[str], output: Sequence[str]) -> str | None:
    if not shown:
        return None
    printed = [plain(line) for line in output]
    while printed and not printed[-1]:
        printed.pop()
    place, anywhere = 0, False
    for line in shown:
        if line.strip() == "…":
            anywhere = True
            continue
        wanted = plain(line)
        reach = range(place, len(printed)) if anywhere else range(place, min(place + 1, len(printed)))
        start = wanted.removesuffix(" …") if wanted.endswith(" …") else None
        at = next((n for n in reach if printed[n] == wanted or (start and printed[n].startswith(start))), None)
        if at is None:
            return f"the page shows {line!r}"
        place, anywhere = at + 1, False
    return None if anywhere or place == len(printed) else f"the page leaves out {printed[place]!r} without saying so"


def plain(line: str) -> str:
    """A line without what differs from run to run, blanks collapsed."""
    for pattern, instead in _VARYING:
        line = pattern.sub(instead, line)
    return line.strip()
