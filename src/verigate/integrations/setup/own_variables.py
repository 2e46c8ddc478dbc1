"""Find the environment variables that a repository's own files set for its checks. Nothing of the caller's is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from verigate.integrations.setup.own_pipelines import list_pipeline_lines, list_pipeline_variables
from verigate.integrations.setup.repository_scan import Scan
from verigate.processes.environment import is_secret_name

MAX_VARIABLES = 8
_LONGEST = 200
_NAME = re.compile(r"[A-Z][A-Z0-9_]{1,60}")
_CHOOSES = (
    *(
        "GATE_",
        "GIT_",
        "LD_",
        "XDG_",
        "PYTEST_",
        "COV_",
        "COVERAGE_",
        "NODE_OPTIONS",
        "NODE_TEST_",
        "NODE_V8_",
        "JEST_",
    ),
    *(
        "GITHUB_",
        "ACTIONS_",
        "RUNNER_",
        "CI_",
        "DOCKER_",
        "PIP_",
        "NPM_",
        "TOX_",
        "NOX_",
        "UV_",
        "HUSKY",
        "SKIP",
        "PRE_COMMIT",
        "LEFTHOOK",
    ),
)
"""What the gate or a pipeline sets itself, what only concerns installing, and what could choose tests."""
_OF_MACHINE = frozenset({"HOME", "PATH", "TMPDIR", "TMP", "TEMP", "SHELL", "USER", "PWD", "PYTHONPATH", "PYTHONHOME"})
_EXAMPLES = (".env.example", ".env.sample", ".env.test", ".env.dist")


_BEFORE_COMMAND = re.compile(r"(?:^|\s)([A-Z][A-Z0-9_]*)=([\w./:-]+)(?=\s)")
_ASSIGNMENTS = re.compile(r"\s*@?-?(?:env\s+)?(?:[A-Z][A-Z0-9_]*=[\w./:-]+\s+)+(?=[\w./])")
_EXPORTED = re.compile(r"\s*export\s+([A-Z][A-Z0-9_]*)\s*[:?]?=\s*[\"']?([\w./:-]+)[\"']?\s*")
_NOX = re.compile(r"[\"']([A-Z][A-Z0-9_]*)[\"'](?:\]\s*=|\s*:)\s*[\"']([\w./:-]+)[\"']")


class OwnVariable(Struct, frozen=True):
    """A variable with its value, and the file that sets it."""

    name: str
    value: str
    source: str


def find_own_variables(seen: Scan) -> tuple[OwnVariable, ...]:
    """Find the variables that pipelines, tox, scripts and examples of ``.env`` set, each once, the first that does.

    Left out are secrets, values that a pipeline computes, and names that choose which tests run.
    """
    unique: dict[str, OwnVariable] = {}
    for name, value, source in _list_all(seen):
        text = str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int | str) else ""
        if _is_usable(name, text):
            unique.setdefault(name, OwnVariable(name, text, source))
    return tuple(unique.values())[:MAX_VARIABLES]


def _is_usable(name: str, value: str) -> bool:
    if not _NAME.fullmatch(name) or name in _OF_MACHINE or name.startswith(_CHOOSES) or is_secret_name(name):
        return False
    return 0 < len(value) <= _LONGEST and not re.search(r"[${}\n\0]", value)


def _list_all(seen: Scan) -> Iterator[tuple[str, object, str]]:
    yield from list_pipeline_variables(seen)
    yield from _list_tox(seen)
    yield from _list_scripts(seen)
    yield from _list_hatch(seen)
    yield from _list_nox(seen)
    for line, path in list_pipeline_lines(seen):
        yield from ((*found, path) for found in _find_assigned(line))
    for path in ("GNUmakefile", "Makefile", "makefile"):
        if path in seen.files:
            yield from ((*found, path) for line in seen.read_text(path).splitlines() for found in _find_assigned(line))
    for path in _EXAMPLES:
        if path in seen.files:
            lines = seen.read_text(path).splitlines()
            yield from ((name.strip(), value.strip().strip("\"'"), path) for name, value in _split(lines))


def _list_tox(seen: Scan) -> Iterator[tuple[str, object, str]]:
    table = seen.read_table("tox.ini") if "tox.ini" in seen.files else {}
    for section, entry in table.items():
        if section.startswith("testenv"):
            lines = [*str(entry.get("setenv", "")).splitlines(), *str(entry.get("set_env", "")).splitlines()]
            yield from ((name.strip(), value.strip(), f"tox.ini, {section}") for name, value in _split(lines))


def _list_scripts(seen: Scan) -> Iterator[tuple[str, object, str]]:
    package = seen.read_table("package.json") if "package.json" in seen.files else {}
    scripts = package.get("scripts")
    for script, text in scripts.items() if isinstance(scripts, dict) else ():
        for name, value in _BEFORE_COMMAND.findall(text if isinstance(text, str) else ""):
            yield name, value, f"package.json, script {script}"


def _find_assigned(line: str) -> Iterator[tuple[str, str]]:
    """Find what a line of a recipe or a pipeline exports, or sets for the command behind it."""
    if found := _EXPORTED.fullmatch(line):
        yield found[1], found[2]
    elif head := _ASSIGNMENTS.match(line):
        yield from _BEFORE_COMMAND.findall(head[0])


def _list_hatch(seen: Scan) -> Iterator[tuple[str, object, str]]:
    table: Any = seen.read_table("pyproject.toml") if "pyproject.toml" in seen.files else {}
    for key in ("tool", "hatch", "envs"):
        table = table.get(key) if isinstance(table, dict) else None
    for environment, entry in table.items() if isinstance(table, dict) else ():
        variables = entry.get("env-vars") if isinstance(entry, dict) else None
        for name, value in variables.items() if isinstance(variables, dict) else ():
            yield name, value, f"pyproject.toml, hatch's {environment}"


def _list_nox(seen: Scan) -> Iterator[tuple[str, object, str]]:
    """List what a noxfile writes as texts: ``session.env["NAME"] = "value"`` and ``env={"NAME": "value"}``."""
    for pair in _NOX.findall(seen.read_text("noxfile.py")) if "noxfile.py" in seen.files else ():
        yield *pair, "noxfile.py"


def _split(lines: list[str]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, sign, value in (line.partition("=") for line in lines) if sign)
