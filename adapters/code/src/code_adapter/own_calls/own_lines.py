"""List the command lines by which a project runs its tests: those of tox, nox, make, hatch, tasks and pipelines.

They are read as texts; nothing is run. Only files that speak of what is looked for are parsed.

Sources: https://tox.wiki/en/stable/config.html, https://nox.thea.codes/en/stable/config.html,
https://hatch.pypa.io/latest/config/environment/overview/.
"""

from __future__ import annotations

import ast
import posixpath
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from configparser import ConfigParser, Error
from itertools import islice
from typing import Any, NamedTuple

from code_adapter.project_texts import ProjectTexts
from verigate.sdk.pipelines import is_pipeline, list_scripts
from verigate.sdk.yaml_documents import load_documents

_TESTING = re.compile(r"|(?:tests?|unit|py|pypy|doctests?|check|ci|cov(?:erage)?)(?:[^a-zA-Z].*)?")
"""Names of environments, sessions and tasks that run tests; "" is what all environments share."""

_TASKS = ("pdm", "poe", "taskipy", "rye", "pixi")
_PASSED_ON = re.compile(r"\{(?:posargs|args)(?::((?:[^{}]|\{[^{}]*\})*))?\}")
_CHOICE = re.compile(r"\{([^{}]*)\}")
_FACTORS = re.compile(r"^[\w!,.{}-]+:\s+")
_VARIABLE = re.compile(r"^([A-Za-z_]\w*)\s*[:?]?=\s*(.*)$", re.MULTILINE)
_USE = re.compile(r"\$[({](\w+)[)}]")
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}")
_MOST_PIPELINES = 20
_DEEPEST = 5


class OwnLine(NamedTuple):
    """A command line that the file ``source`` has. ``folder`` is where it starts, from the project; None if unknown."""

    text: str
    source: str
    folder: str | None = ""


def list_own_lines(files: ProjectTexts, folder: str, about: re.Pattern[str]) -> Iterator[OwnLine]:
    """List the lines of the project in ``folder`` that are about tests, in files in which ``about`` occurs.

    Pipelines are read only for the root.
    """
    prefix = f"{folder}/" if folder else ""
    for name, read in _READERS.items():
        if prefix + name in files.known and about.search(text := files.text(prefix + name)):
            yield from (OwnLine(line, prefix + name, place) for line, place in read(text))
    pipelines = () if folder else filter(is_pipeline, files.paths)
    for path in islice(pipelines, _MOST_PIPELINES):
        if about.search(text := files.text(path)):
            yield from (OwnLine(line, path, place) for line, place in _read_pipeline(text))


def move(place: str | None, words: list[str]) -> str | None:
    """Follow ``cd``: the folder from the project, None if it isn't known."""
    if place is None or not words or not re.fullmatch(r"[\w./-]+", words[0]) or words[0][0] in "-/":
        return None
    path = posixpath.normpath(posixpath.join(place, words[0]))
    return None if path.startswith("..") else "" if path == "." else path


def _read_tox(text: str) -> Iterator[tuple[str, str | None]]:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error:
        return
    for section in parser.sections():
        start, _, name = section.partition(":")
        if start == "testenv" and any(map(_TESTING.fullmatch, _list_names(name))):
            place = _first(parser, (section, "testenv"), ("changedir", "change_dir"))
            lines = re.sub(r"\\\n\s*", " ", parser.get(section, "commands", fallback="")).splitlines()
            yield from ((_pass_on(_FACTORS.sub("", line.strip())), _read_place(place)) for line in lines)


def _list_names(name: str) -> list[str]:
    """List the beginnings of the names that a generative section stands for: ``{,ci-}pypy3``."""
    found = _CHOICE.match(name)
    return [each.strip() + name[found.end() :] for each in found[1].split(",")] if found else [name]


def _first(parser: ConfigParser, sections: tuple[str, ...], keys: tuple[str, ...]) -> str:
    found = (parser.get(section, key, fallback="") for section in sections for key in keys)
    return next(filter(None, found), "")


def _read_place(text: Any) -> str | None:
    """Read the folder of ``changedir``, from that of tox's settings."""
    inner = re.sub(r"^\{(?:toxinidir|tox_root)\}/?", "", text if isinstance(text, str) else "").strip("/")
    return None if re.search(r"[{}\n]", inner) else inner.removeprefix("./")


def _pass_on(line: str) -> str:
    """Replace what a caller may give by what stands for it without."""
    return _PASSED_ON.sub(lambda found: found[1] or "", line)


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _read_pyproject(text: str) -> Iterator[tuple[str, str | None]]:
    tool = _table(_load(text), "tool")
    tox = _table(tool, "tox")
    legacy = tox.get("legacy_tox_ini")
    if isinstance(legacy, str):
        yield from _read_tox(legacy)
    yield from _read_tox_tables(tox)
    yield from _read_hatch(_table(tool, "hatch"))
    for program in _TASKS:
        for key in ("scripts", "tasks"):
            yield from _read_tasks(_table(tool, program, key))


def _table(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _read_tox_toml(text: str) -> Iterator[tuple[str, str | None]]:
    return _read_tox_tables(_load(text))


def _read_tox_tables(tox: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    shared = _table(tox, "env_run_base")
    for name, entry in {"": shared, **_table(tox, "env")}.items():
        commands = entry.get("commands") if isinstance(entry, dict) else None
        if isinstance(commands, list) and _TESTING.fullmatch(name):
            keys = ("change_dir", "changedir")
            place = next((table[key] for table in (entry, shared) for key in keys if key in table), "")
            for command in commands:
                words = [word for each in command if isinstance(command, list) for word in _list_words(each)]
                yield shlex.join(filter(None, words)), _read_place(place)


def _list_words(each: Any) -> list[str]:
    """List the words of an element of a command: a text, or a table that stands for the caller's arguments."""
    given = [each] if isinstance(each, str) else each.get("default") if isinstance(each, dict) else None
    return [_pass_on(word) for word in given if isinstance(word, str)] if isinstance(given, list) else []


def _read_hatch_toml(text: str) -> Iterator[tuple[str, str | None]]:
    return _read_hatch(_load(text))


def _read_hatch(hatch: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    for entry in _table(hatch, "envs").values():
        yield from _read_tasks(_table(entry, "scripts"))


def _read_tasks(tasks: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Read named commands: a text, a list of texts, or a table with ``cmd``, ``shell`` or ``composite``."""
    for name, entry in tasks.items():
        if not _TESTING.fullmatch(name):
            continue
        values = [entry.get(key) for key in ("cmd", "shell", "composite")] if isinstance(entry, dict) else [entry]
        for value in values:
            texts = value if isinstance(value, list) else [value]
            yield from ((_pass_on(text), "") for text in texts if isinstance(text, str))


def _read_nox(text: str) -> Iterator[tuple[str, str | None]]:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for session in module.body:
        if not isinstance(session, ast.FunctionDef) or not _TESTING.fullmatch(session.name):
            continue
        calls = [node for node in ast.walk(session) if isinstance(node, ast.Call)]
        named = [(call.func.attr, call) for call in calls if isinstance(call.func, ast.Attribute)]
        place = None if any(name in {"chdir", "cd"} for name, _ in named) else ""
        yield from ((shlex.join(map(_read_word, _list_given(call))), place) for name, call in named if name == "run")


def _list_given(call: ast.Call) -> list[ast.expr]:
    return [each for each in call.args if not isinstance(each, ast.Starred)]


def _read_word(each: ast.expr) -> str:
    """Read a word; one that is computed becomes a variable that nobody knows."""
    return each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else "${computed}"


def _read_make(text: str) -> Iterator[tuple[str, str | None]]:
    whole = text.replace("\\\n", " ")
    known: dict[str, str] = dict(_VARIABLE.findall(whole))

    def expand(use: re.Match[str]) -> str:
        """Expand a variable; one that isn't set is empty, but for the program itself."""
        return known.get(use[1], use[0] if use[1].startswith("PYTEST") else "")

    for line in whole.splitlines():
        if line.startswith("\t"):
            command = line
            for _ in range(_DEEPEST):
                command = _USE.sub(expand, command)
            yield command.strip().lstrip("@-+ "), ""


def _read_pipeline(text: str) -> Iterator[tuple[str, str | None]]:
    try:
        documents = load_documents(text)
    except ValueError:
        return
    for document in documents:
        for script, folder in list_scripts(document):
            place: str | None = folder
            for line in _EXPRESSION.sub("${expression}", script).replace("\\\n", " ").splitlines():
                yield line.strip(), place
                if moved := re.match(r"\s*cd\s+(\S+)", line):
                    place = move(place, [moved[1]])


_READERS: Mapping[str, Callable[[str], Iterator[tuple[str, str | None]]]] = {
    "tox.ini": _read_tox,
    "setup.cfg": _read_tox,
    "pyproject.toml": _read_pyproject,
    "tox.toml": _read_tox_toml,
    "hatch.toml": _read_hatch_toml,
    "noxfile.py": _read_nox,
    "GNUmakefile": _read_make,
    "makefile": _read_make,
    "Makefile": _read_make,
}
NAMES = frozenset(_READERS)
"""The names of files in a project's folder that may have command lines."""
