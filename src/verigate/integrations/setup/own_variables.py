"""Find the environment variables that a repository's own files set for its checks. Nothing of the caller's is read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from verigate.integrations.setup.own_pipelines import list_pipeline_variables
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
        for name, value in re.findall(
            r"(?:^|\s)([A-Z][A-Z0-9_]*)=([\w./:-]+)(?=\s)", text if isinstance(text, str) else ""
        ):
            yield name, value, f"package.json, script {script}"


def _split(lines: list[str]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, sign, value in (line.partition("=") for line in lines) if sign)
