"""The commands that install a project's dependencies, chosen by the lock file or project file that is there.

Nothing is executed here. Source: the manuals of the package managers; a lock file is never changed by its command.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

MAKE_VENV = ("python3", "-m", "venv", ".venv")
PIP = (".venv/bin/python", "-m", "pip", "install")


class InstallCommand(NamedTuple):
    """``commands`` run in order in the project's folder; ``because`` names the file that chose them."""

    ecosystem: str
    because: str
    commands: tuple[tuple[str, ...], ...]

    @property
    def line(self) -> str:
        """The commands as one line for a shell. No word of them comes from the project but a file's fixed name."""
        return " && ".join(map(shlex.join, self.commands))


_BY_FILE: dict[str, tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]] = {
    "node": (
        ("pnpm-lock.yaml", (("pnpm", "install", "--frozen-lockfile"),)),
        ("yarn.lock", (("yarn", "install", "--frozen-lockfile"),)),
        ("bun.lock", (("bun", "install", "--frozen-lockfile"),)),
        ("bun.lockb", (("bun", "install", "--frozen-lockfile"),)),
        ("package-lock.json", (("npm", "ci"),)),
        ("npm-shrinkwrap.json", (("npm", "ci"),)),
        ("package.json", (("npm", "install"),)),
    ),
    "python": (
        ("uv.lock", (("uv", "sync"),)),
        ("poetry.lock", (("poetry", "install"),)),
        ("pdm.lock", (("pdm", "sync"),)),
        ("Pipfile.lock", (("pipenv", "sync", "--dev"),)),
        ("requirements-dev.txt", (MAKE_VENV, (*PIP, "-r", "requirements-dev.txt"))),
        ("requirements.txt", (MAKE_VENV, (*PIP, "-r", "requirements.txt"))),
        ("pyproject.toml", (MAKE_VENV, (*PIP, "-e", "."))),
        ("setup.py", (MAKE_VENV, (*PIP, "-e", "."))),
    ),
    "rust": (
        ("Cargo.lock", (("cargo", "fetch", "--locked"),)),
        ("Cargo.toml", (("cargo", "fetch"),)),
    ),
    "go": (("go.mod", (("go", "mod", "download"),)),),
    "java": (
        ("mvnw", (("./mvnw", "-B", "dependency:go-offline"),)),
        ("pom.xml", (("mvn", "-B", "dependency:go-offline"),)),
        ("gradlew", (("./gradlew", "testClasses"),)),
        ("build.gradle", (("gradle", "testClasses"),)),
        ("build.gradle.kts", (("gradle", "testClasses"),)),
    ),
    "ruby": (("Gemfile.lock", (("bundle", "install"),)),),
    "php": (("composer.lock", (("composer", "install"),)),),
}
"""Ecosystem -> (file, commands), the first file that exists decides."""

_BERRY = ".yarnrc.yml"
"""Where yarn 2 and later are configured: they call the option otherwise."""

_MODERN_YARN = (("yarn", "install", "--immutable"),)

_TOOL_INSTALLS = (
    ("uv.lock", ("uv", "pip", "install")),
    ("poetry.lock", ("poetry", "run", "pip", "install")),
    ("pdm.lock", ("pdm", "run", "pip", "install")),
    ("Pipfile.lock", ("pipenv", "run", "pip", "install")),
)
"""Lock file -> what installs a program into the environment of its manager."""


NAMES_FOR_TESTS = ("test", "tests", "testing", "dev", "develop", "development")
"""Names under which projects list what their tests need, the narrowest first. Only these words reach a command."""


def find_install_command(
    ecosystem: str, names: Collection[str], settings: Mapping[str, Any] | None = None
) -> InstallCommand | None:
    """Find the command for ``ecosystem`` in a folder with the file ``names``; None if none of its files is there.

    ``settings`` are those of its pyproject.toml: what they list for tests is installed as well.
    """
    for file, commands in _BY_FILE[ecosystem]:
        if file in names:
            if file == "pyproject.toml":
                return InstallCommand(ecosystem, file, _add_test_requirements(commands, settings or {}))
            modern = file == "yarn.lock" and _BERRY in names
            return InstallCommand(ecosystem, file, _MODERN_YARN if modern else commands)
    return None


def _add_test_requirements(
    commands: tuple[tuple[str, ...], ...], settings: Mapping[str, Any]
) -> tuple[tuple[str, ...], ...]:
    """Install the project with its extra for tests, else with its group; pip knows groups from 25.1 on."""
    *before, install = commands
    project = settings.get("project")
    extras = project.get("optional-dependencies") if isinstance(project, dict) else None
    groups = settings.get("dependency-groups")
    for name in NAMES_FOR_TESTS:
        if isinstance(extras, dict) and name in extras:
            return (*before, (*install[:-1], f"{install[-1]}[{name}]"))
    for name in NAMES_FOR_TESTS:
        if isinstance(groups, dict) and name in groups:
            return (*before, (*PIP, "--upgrade", "pip>=25.1"), (*install, "--group", name))
    return commands


def make_tool_install(tool: str, names: Collection[str], *, has_env: bool) -> str:
    """Make the line for a shell that installs the Python program ``tool`` where the project's tests run.

    ``names`` are the files of the project's folder, and ``has_env`` is whether it has a ``.venv``.
    """
    for lock, install in _TOOL_INSTALLS:
        if lock in names:
            return shlex.join((*install, tool))
    commands = ((*PIP, tool),) if has_env else (MAKE_VENV, (*PIP, tool))
    return " && ".join(map(shlex.join, commands))


def find_install_commands(names: Collection[str]) -> Iterator[InstallCommand]:
    """Yield the command of each ecosystem that the file ``names`` of a folder show."""
    for ecosystem in _BY_FILE:
        if (found := find_install_command(ecosystem, names)) is not None:
            yield found
