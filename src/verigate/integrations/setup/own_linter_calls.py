"""Find how a project itself calls ruff and flake8, where that is narrower than the whole project.

Sources in the order of their weight: tox, pipelines, Makefile, hooks of pre-commit. Nothing is proposed where any of
them checks everything, nor where the first one that calls the linter does so in a way that can't be said here.
"""

from __future__ import annotations

import configparser
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from verigate.integrations.setup.linter_words import LINTERS, NamedCall, read_line
from verigate.integrations.setup.own_commands import expand_tox, find_own_commands
from verigate.integrations.setup.own_hooks import read_hooks
from verigate.integrations.setup.own_pipelines import list_pipeline_actions, list_pipeline_lines
from verigate.integrations.setup.repository_scan import Scan

_MAX_CALLS = 10
_MAX_LINES = 5000
_MAKEFILES = ("GNUmakefile", "Makefile", "makefile")
_ACTIONS = frozenset({"astral-sh/ruff-action", "chartboost/ruff-action"})
_NO_CHECK = re.compile(r"\s*(?:format|--version)\b")
_MOVED = ("changedir", "change_dir")


class OwnLinterCalls(Struct, frozen=True):
    """The arguments of each call of a linter, and the places that call it so."""

    tool: str
    calls: tuple[tuple[str, ...], ...]
    source: str

    @property
    def line(self) -> str:
        """The calls as one types them."""
        start = f"{self.tool} check" if self.tool == "ruff" else self.tool
        return "; ".join(f"{start} {shlex.join(call)}" for call in self.calls)


def find_linter_calls(seen: Scan) -> tuple[OwnLinterCalls, ...]:
    """Find the calls of each linter that is only called on a part of the project, or with a choice of rules."""
    sources = [
        [*_read_tox(seen), *_read_tox_tables(seen)],
        [*_read_pipelines(seen), *_read_actions(seen)],
        list(_read_makefile(seen)),
        list(read_hooks(seen)),
    ]
    # What nox, hatch and others call is read in part, so that it only shows what checks everything.
    whole = {call.tool for call in chain(_read_others(seen), *sources) if call.arguments == ()}
    return tuple(found for tool in LINTERS if tool not in whole and (found := _choose(tool, sources)) is not None)


def _choose(tool: str, sources: Sequence[Sequence[NamedCall]]) -> OwnLinterCalls | None:
    own = [[call for call in source if call.tool == tool] for source in sources]
    first = next(filter(None, own), [])
    calls = tuple(dict.fromkeys(call.arguments for call in first if call.arguments is not None))
    if not 0 < len(calls) <= _MAX_CALLS or any(call.arguments is None for call in first):
        return None
    return OwnLinterCalls(tool, calls, " and ".join(dict.fromkeys(call.source for call in first)))


def _read_tox(seen: Scan) -> Iterator[NamedCall]:
    """Commands of the environments in ``tox.ini``, and in the text for one in ``pyproject.toml``."""
    for file, table in _list_tox(seen):
        for section, entry in table.items():
            if section.partition(":")[0] == "testenv":
                lines = re.sub(r"\\\n\s*", " ", str(entry.get("commands", ""))).splitlines()
                yield from _read_lines(seen, lines, f"{file}, {section}", moved=any(key in entry for key in _MOVED))


def _list_tox(seen: Scan) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if "tox.ini" in seen.files:
        yield "tox.ini", seen.read_table("tox.ini")
    document: Any = seen.read_table("pyproject.toml") if "pyproject.toml" in seen.files else {}
    for key in ("tool", "tox", "legacy_tox_ini"):
        document = document.get(key) if isinstance(document, dict) else None
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(document if isinstance(document, str) else "")
    except configparser.Error:
        return
    yield "pyproject.toml", {section: dict(parser[section]) for section in parser.sections()}


def _read_tox_tables(seen: Scan) -> Iterator[NamedCall]:
    """Commands of tox where it is configured in TOML: lists of words."""
    for file, keys in (("tox.toml", ()), ("pyproject.toml", ("tool", "tox"))):
        document: Any = seen.read_table(file) if file in seen.files else {}
        for key in keys:
            document = document.get(key) if isinstance(document, dict) else None
        if not isinstance(document, dict):
            continue
        named = document.get("env")
        environments = {"env_run_base": document.get("env_run_base"), **(named if isinstance(named, dict) else {})}
        for name, entry in environments.items():
            commands = entry.get("commands") if isinstance(entry, dict) else None
            lists = [each for each in commands if isinstance(each, list)] if isinstance(commands, list) else []
            lines = [shlex.join(word for word in each if isinstance(word, str)) for each in lists]
            moved = any(key in entry for key in _MOVED) if isinstance(entry, dict) else False
            yield from _read_lines(seen, lines, f"{file}, {name}", moved=moved)


def _read_lines(seen: Scan, lines: Sequence[str], source: str, *, moved: bool) -> Iterator[NamedCall]:
    """Read commands of tox. Where they start in another folder, their paths aren't those of the project."""
    for line in lines[:_MAX_LINES]:
        for call in read_line(seen, expand_tox(line), source, by_shell=False):
            yield NamedCall(call.tool, None, source) if moved else call


def _read_pipelines(seen: Scan) -> Iterator[NamedCall]:
    for line, path in islice(list_pipeline_lines(seen), _MAX_LINES):
        yield from read_line(seen, line, path)


def _read_actions(seen: Scan) -> Iterator[NamedCall]:
    """Actions that call ruff: on the whole project without inputs that say something else."""
    for name, inputs, path in list_pipeline_actions(seen):
        arguments = str(inputs.get("args") or "")
        if name in _ACTIONS and not _NO_CHECK.match(arguments):
            chosen = arguments.removeprefix("check").strip() or str(inputs.get("src") or ".") not in {".", "./"}
            yield NamedCall("ruff", None if chosen else (), path)


def _read_others(seen: Scan) -> Iterator[NamedCall]:
    for command in find_own_commands(seen, "lint"):
        yield from read_line(seen, command.line, command.source)


def _read_makefile(seen: Scan) -> Iterator[NamedCall]:
    """Lines of recipes; make ignores the failure of one that starts with a hyphen."""
    file = next((name for name in _MAKEFILES if name in seen.files), None)
    text = seen.read_text(file).replace("\\\n", " ")
    for line in text.splitlines()[:_MAX_LINES]:
        command = line.strip().lstrip("@+ ")
        if line.startswith("\t") and not command.startswith("-"):
            yield from read_line(seen, command, str(file))
