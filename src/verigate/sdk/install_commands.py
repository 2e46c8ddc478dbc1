"""The commands that install a project's dependencies, chosen by the lock file or project file that is there.

Nothing is executed here. Source: the manuals of the package managers; a lock file is never changed by its command.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from typing import NamedTuple

_VENV = ("python3", "-m", "venv", ".venv")
_PIP = (".venv/bin/python", "-m", "pip", "install")


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
        ("requirements-dev.txt", (_VENV, (*_PIP, "-r", "requirements-dev.txt"))),
        ("requirements.txt", (_VENV, (*_PIP, "-r", "requirements.txt"))),
        ("pyproject.toml", (_VENV, (*_PIP, "-e", "."))),
        ("setup.py", (_VENV, (*_PIP, "-e", "."))),
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


def find_install_command(ecosystem: str, names: Collection[str]) -> InstallCommand | None:
    """Find the command for ``ecosystem`` in a folder with the file ``names``; None if none of its files is there."""
    for file, commands in _BY_FILE[ecosystem]:
        if file in names:
            modern = file == "yarn.lock" and _BERRY in names
            return InstallCommand(ecosystem, file, _MODERN_YARN if modern else commands)
    return None


def find_install_commands(names: Collection[str]) -> Iterator[InstallCommand]:
    """Yield the command of each ecosystem that the file ``names`` of a folder show."""
    for ecosystem in _BY_FILE:
        if (found := find_install_command(ecosystem, names)) is not None:
            yield found
