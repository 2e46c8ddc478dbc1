"""Find the commands that a repository itself has for its tests, its linters and its build. Nothing is run.

They are hostile text: who tries one does so in the sandbox, as an argument vector without a shell.
"""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from verigate.integrations.setup.own_pipelines import list_pipeline_lines
from verigate.integrations.setup.repository_scan import Scan
from verigate.sdk.npm_scripts import LinterCall, read_script

Kind = Literal["tests", "lint", "build"]

MAX_COMMANDS = 5
"""Each may cost a run of the suite."""

MANAGERS = {"yarn.lock": "yarn", "pnpm-lock.yaml": "pnpm", "bun.lock": "bun"}
"""Lock file -> the package manager that runs scripts; npm without one."""

SHELL = re.compile(r"[;&|<>$`*?~\n]|\{")
QUOTED = re.compile(r"'[^'\n]*'|\"[^\"$`\\\n]*\"")
"""What a shell would leave alone."""
_REPAIRS = re.compile(r"--fix\b|--write\b|--update|--watch|-u\b")
_SCRIPTS: Mapping[Kind, re.Pattern[str]] = {
    "tests": re.compile(r"tests?|(?:tests?|unit)(?:[:_-](?:unit|units|node|only|api|ci|all|run|js|ts|py))*"),
    "lint": re.compile(
        r"(?:check[:_-])?lint(?:[:_-](?:check|ci|js|ts|code|all|eslint))?|eslint|standard|style|format:check"
    ),
    "build": re.compile(
        r"type-?check|check[:_-]?types?|types?[:_-]check|(?:test|lint)[:_-]types?|types|tsc|build|compile"
    ),
}
_TARGETS: Mapping[Kind, tuple[str, ...]] = {
    "tests": ("test", "tests", "check", "unit", "unittest"),
    "lint": ("lint", "flake8", "style", "check-style"),
    "build": ("build",),
}
_ENVIRONMENTS: Mapping[Kind, re.Pattern[str]] = {
    "tests": re.compile(r"|tests?|unit|py\d*"),
    "lint": re.compile(r"lint|linters?|style|flake8|pep8|ruff|pylint|quality|format"),
    "build": re.compile(r"build|compile"),
}
_LINES: Mapping[Kind, re.Pattern[str]] = {
    "tests": re.compile(
        r"(?<![\w-])(?:run-?_?)?(?:tests?|pytest|nosetests|unittest|jest|vitest|mocha|ctest|rspec)(?![\w-])"
    ),
    "lint": re.compile(r"(?<![\w-])(?:lint|flake8|pylint|pycodestyle|eslint|stylelint|rubocop|shellcheck)(?![\w-])"),
    "build": re.compile(r"(?<![\w-])(?:build|compile|typecheck)(?![\w-])"),
}
_TASKS = {"pdm": "scripts", "poe": "tasks", "taskipy": "tasks", "rye": "scripts", "pixi": "tasks"}
_PROGRAMS = tuple(
    f"{folder}{name}{suffix}"
    for folder in ("", "scripts/", "script/", "bin/", "ci/", "tools/")
    for name in ("test", "tests", "runtests", "run_tests", "run-tests", "run_test")
    for suffix in (".sh", ".py", "")
    if folder or suffix
)
_PREPARES = re.compile(
    r"(?:python3? -m )?(?:pip|build|twine|virtualenv|venv|coverage (?:report|combine|erase|html|xml)|codecov"
    r"|uv (?:pip|sync)|sphinx-build|mypy|apt(?:-get)?|sudo|npm (?:i|ci|install)|(?:yarn|pnpm) (?:i|install)"
    r"|echo|cd|git|curl|docker)\b"
)


class OwnCommand(Struct, frozen=True):
    """A command as words, with the place that names it. ``whole`` is False for one that is a part of the suite."""

    words: tuple[str, ...]
    source: str
    whole: bool = True

    @property
    def line(self) -> str:
        """The command for a shell."""
        return shlex.join(self.words)


def find_own_commands(seen: Scan, kind: Kind) -> tuple[OwnCommand, ...]:
    """Find the commands of one kind, likeliest first, each once, at most MAX_COMMANDS."""
    unique: dict[tuple[str, ...], OwnCommand] = {}
    for command in islice((command for find in _FINDERS for command in find(seen, kind)), 100):
        unique.setdefault(command.words, command)
    return tuple(sorted(unique.values(), key=lambda command: not command.whole)[:MAX_COMMANDS])


def _find_scripts(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Scripts of the package.json and composer.json at the root."""
    for file, manager in (("package.json", find_manager(seen)), ("composer.json", "composer")):
        package = seen.read_table(file) if file in seen.files else {}
        scripts = package.get("scripts")
        names = [name for name in scripts if isinstance(name, str)] if isinstance(scripts, dict) else []
        for name in sorted(filter(_SCRIPTS[kind].fullmatch, names), key=lambda name: (name != "test", len(name))):
            if not _is_usable(package, name, kind):
                continue
            plain = kind == "tests" and name == "test" and manager in {"npm", "yarn", "pnpm"}
            words = (manager, "test") if plain else (manager, "run", name)
            yield OwnCommand(words, f"{file}, script {name}", kind != "tests" or name in {"test", "tests"})


def _is_usable(package: Mapping[str, Any], name: str, kind: Kind) -> bool:
    text = package["scripts"][name]
    texts = text if isinstance(text, list) else [text]
    if not texts or not all(isinstance(each, str) and "no test specified" not in each for each in texts):
        return False
    if kind == "lint" and any(map(_REPAIRS.search, texts)):
        return False
    steps = list(read_script(package, name)) if isinstance(text, str) else []
    return kind != "tests" or not steps or not all(isinstance(step, LinterCall) for step in steps)


def find_manager(seen: Scan) -> str:
    """Find the package manager of the package at the root by its lock file."""
    return next((name for lock, name in MANAGERS.items() if lock in seen.files), "npm")


def call_by_installed(command: OwnCommand) -> OwnCommand:
    """Let npm run a script whose package manager isn't on this machine: it does the same, if the packages are there."""
    manager, *rest = command.words
    if manager not in MANAGERS.values() or shutil.which(manager) is not None:
        return command
    return replace(command, words=("npm", *rest))


def _find_targets(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Targets of make, just, task and ant."""
    for program, files, pattern in (
        ("make", ("GNUmakefile", "Makefile", "makefile"), r"^{}\s*:(?!=)"),
        ("just", ("justfile", "Justfile", ".justfile"), r"^{}\b[^\n:]*:(?!=)"),
        ("task", ("Taskfile.yml", "Taskfile.yaml"), r"^  {}:"),
        ("ant", ("build.xml",), r"<target\b[^>]*\bname=\"{}\""),
    ):
        file = next((name for name in files if name in seen.files), None)
        for name in _TARGETS[kind] if file is not None else ():
            if re.search(pattern.format(re.escape(name)), seen.read_text(file), re.MULTILINE):
                own = program == "ant" and "build.sh" in seen.files
                yield OwnCommand(("sh", "build.sh", name) if own else (program, name), f"{file}, target {name}")


def _find_tox(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Commands of the environments of tox, in ``tox.ini``."""
    table = seen.read_table("tox.ini") if "tox.ini" in seen.files else {}
    for section, entry in table.items():
        name = section.removeprefix("testenv").removeprefix(":")
        if not section.startswith("testenv") or not _ENVIRONMENTS[kind].fullmatch(name):
            continue
        lines = re.sub(r"\\\n\s*", " ", str(entry.get("commands", ""))).splitlines()
        yield from _read_first(map(expand_tox, lines), f"tox.ini, {section}")


def expand_tox(line: str) -> str:
    """Replace what tox puts into a command; a line whose failure it ignores becomes empty."""
    line = re.sub(r"^\s*[\w!,.{}-]+:\s+", "", line.strip())
    if line.startswith("-"):
        return ""
    line = re.sub(r"\{posargs(?::([^{}]*))?\}|\[\]", lambda found: found[1] or "", line)
    line = re.sub(r"\{(?:envpython|env_python)\}", "python", line)
    line = re.sub(r"\{(?:envbindir|env_bin_dir)\}/", "", line)
    return re.sub(r"\{(?:toxinidir|tox_root)\}", ".", line)


def _find_nox(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """What the sessions of nox run, as far as it is written as texts."""
    try:
        module = ast.parse(seen.read_text("noxfile.py")) if "noxfile.py" in seen.files else None
    except (SyntaxError, ValueError, RecursionError):
        return
    for session in module.body if module is not None else ():
        if isinstance(session, ast.FunctionDef) and _ENVIRONMENTS[kind].fullmatch(session.name.partition("_")[0]):
            calls = [node for node in ast.walk(session) if isinstance(node, ast.Call)]
            runs = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "run"]
            yield from _read_first(map(_join_texts, runs), f"noxfile.py, session {session.name}")


def _join_texts(call: ast.Call) -> str:
    words = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    others = [each for each in call.args if not isinstance(each, ast.Constant | ast.Starred)]
    return "" if others else shlex.join(words)


def _find_hatch(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Scripts of the environments of hatch."""
    table: Any = seen.read_table("pyproject.toml") if "pyproject.toml" in seen.files else {}
    for key in ("tool", "hatch", "envs"):
        table = table.get(key) if isinstance(table, dict) else None
    for name, entry in table.items() if isinstance(table, dict) else ():
        scripts = entry.get("scripts") if isinstance(entry, dict) else None
        for script, text in scripts.items() if isinstance(scripts, dict) else ():
            if script and _ENVIRONMENTS[kind].fullmatch(script):
                lines = [text] if isinstance(text, str) else [each for each in text if isinstance(each, str)]
                expanded = (re.sub(r"\{args(?::([^{}]*))?\}", lambda found: found[1] or "", line) for line in lines)
                yield from _read_first(expanded, f"pyproject.toml, hatch's {name}:{script}")


def _find_tasks(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Tasks of pdm, poe, taskipy, rye and pixi, in ``pyproject.toml``: a text, or a table with ``cmd``."""
    document = seen.read_table("pyproject.toml") if "pyproject.toml" in seen.files else {}
    for program, key in _TASKS.items():
        table: Any = document.get("tool")
        for part in (program, key):
            table = table.get(part) if isinstance(table, dict) else None
        for name, entry in table.items() if isinstance(table, dict) else ():
            given = entry.get("cmd") if isinstance(entry, dict) else entry
            words = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
            line = given if isinstance(given, str) else shlex.join(words)
            if name and _ENVIRONMENTS[kind].fullmatch(name):
                yield from _read_first([line], f"pyproject.toml, {program}'s {name}")


def _find_tox_tables(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Commands of tox where it is configured in TOML: lists of words."""
    document: Any = seen.read_table("tox.toml") if "tox.toml" in seen.files else None
    file = "tox.toml"
    if document is None and "pyproject.toml" in seen.files:
        file, document = "pyproject.toml", seen.read_table("pyproject.toml").get("tool")
        document = document.get("tox") if isinstance(document, dict) else None
    if not isinstance(document, dict):
        return
    named = document.get("env")
    environments = {"": document.get("env_run_base"), **(named if isinstance(named, dict) else {})}
    for name, entry in environments.items():
        commands = entry.get("commands") if isinstance(entry, dict) else None
        if isinstance(commands, list) and _ENVIRONMENTS[kind].fullmatch(name):
            lines = [
                expand_tox(shlex.join(word for word in each if isinstance(word, str)))
                for each in commands
                if isinstance(each, list)
            ]
            yield from _read_first(lines, f"{file}, {f'environment {name}' if name else 'env_run_base'}")


def _find_programs(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Programs whose name says that they run the tests."""
    if kind == "tests" and "manage.py" in seen.files:
        yield OwnCommand(("python", "manage.py", "test"), "manage.py")
    for path in _PROGRAMS if kind == "tests" else ():
        if path in seen.files:
            words = ("python", path) if path.endswith(".py") else ("bash", path)
            yield OwnCommand(words, path)


def _find_pipeline_lines(seen: Scan, kind: Kind) -> Iterator[OwnCommand]:
    """Simple commands of the pipelines."""
    for line, path in list_pipeline_lines(seen):
        if _LINES[kind].search(line) and not _REPAIRS.search(line):
            yield from _read_first([line], path)


def _read_first(lines: Any, source: str) -> Iterator[OwnCommand]:
    """Read the first line that is a simple command and prepares nothing."""
    for line in lines:
        if not line.strip() or SHELL.search(QUOTED.sub("", line)) or _PREPARES.match(line.strip()):
            continue
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        if words and "=" not in words[0]:
            yield OwnCommand(tuple(words), source)
            return


_FINDERS: tuple[Callable[[Scan, Kind], Iterator[OwnCommand]], ...] = (
    _find_scripts,
    _find_targets,
    _find_tox,
    _find_tox_tables,
    _find_nox,
    _find_hatch,
    _find_tasks,
    _find_programs,
    _find_pipeline_lines,
)
