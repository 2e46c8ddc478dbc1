"""Which extras of the gate are missing, and the command that installs one into the interpreter that runs.

No command names the gate's own package: an index may offer another project's package under that name. In the ``.venv``
of a checkout the command is the checkout's ``bin/setup``. Anywhere else it lists the missing requirements themselves,
as the metadata of the installed package states them.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from packaging.requirements import Requirement

DISTRIBUTION = "verigate-gate"
"""The name in the gate's own metadata."""

_LONGEST_COMMAND = 320
"""Characters. Reports cut off what is longer, and half a command is worse than none."""

ALL = "all"
"""The extra that is all others."""

_GRAMMARS = (
    "tree_sitter_c_sharp",
    "tree_sitter_go",
    "tree_sitter_java",
    "tree_sitter_javascript",
    "tree_sitter_kotlin",
    "tree_sitter_php",
    "tree_sitter_python",
    "tree_sitter_ruby",
    "tree_sitter_rust",
    "tree_sitter_typescript",
)
_REPORTS = ("defusedxml", "junitparser", "puremagic", "tap")

MODULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tools": _REPORTS,
        "api": ("hypothesis", *_GRAMMARS),
        "attest": ("cryptography", "google.protobuf", "in_toto_attestation", "securesystemslib"),
        "code": ("checkwash", "coverage", "defusedxml", "junitparser", "pytest", "ruff", "tap", "tomlkit", *_GRAMMARS),
        "content": ("PIL", "comrak", "defusedxml", "docutils", "selectolax", "tinycss2"),
        "dask": ("distributed",),
        "do": ("pint", "pytimeparse2", "rapidfuzz", *_REPORTS),
        "engines": ("jinja2", "tomlkit"),
        "gemini": ("google.genai", "httpx2"),
        "http": ("httpx2",),
        "links": ("aiohttp", "defusedxml", "docutils"),
        "mcp": ("anyio", "mcp"),
        "plot": ("pygal",),
        "remote": ("buildgrid.common", "google.protobuf", "grpc"),
        "render": ("playwright",),
        "serve": ("anyio", "jinja2", "jwt", "sse_starlette", "starlette", "uvicorn"),
        "sigstore": ("sigstore",),
    }
)
"""Extra -> the modules of it that the gate imports, beyond those of its core; tools first, for ``extra_of``."""


class Lack(NamedTuple):
    """What an extra misses, and the command that installs it; empty where the metadata lists nothing.

    ``command`` lists the requirements where there are few. ``short``, for the places that have room for one line, has
    this module start that command.
    """

    message: str
    command: str
    short: str
    packages: tuple[str, ...]


def absent_modules(extra: str) -> Sequence[str]:
    """The modules of ``extra`` that can't be found. Imports none of them."""
    return tuple(name for name in MODULES[extra] if not _is_found(name))


def find_lack(extra: str) -> Lack | None:
    """What is missing of ``extra``, None if all its modules are there."""
    absent = absent_modules(extra)
    return lack_of(extra, absent) if absent else None


def lack_of(extra: str, names: Sequence[str] = ()) -> Lack:
    """The message and the command for ``extra``; ``names`` stand in where the metadata misses nothing."""
    import shlex

    wanted = _of_extra(extra)
    missing = [requirement for requirement in wanted if not _is_met(requirement)]
    packages = tuple(dict.fromkeys(requirement.name for requirement in missing)) or tuple(names)
    message = f"missing Python packages of the extra {extra!r}: {', '.join(packages)}"
    if (checkout := _own_checkout()) is not None:
        command = shlex.join((f"{checkout}/bin/setup", "--extra", extra))
        return Lack(message, command, command, packages)
    if not wanted:
        return Lack(message, "", "", packages)
    listed = shlex.join((*_installer(), *map(str, missing or wanted)))
    short = shlex.join((sys.executable, "-I", "-m", "verigate.extras", extra))
    return Lack(message, listed if len(listed) <= _LONGEST_COMMAND else short, short, packages)


def extra_of(module: str) -> str | None:
    """The first extra that has this module, or the package it is in; None if none has."""
    for extra, names in MODULES.items():
        if any(f"{module}.".startswith(f"{name}.") for name in names):
            return extra
    return None


def lacks() -> Mapping[str, Lack]:
    """Every extra of which a requirement is missing, or is there in a version that doesn't fit."""
    extras = [extra for extra in provided_extras() if not all(map(_is_met, _of_extra(extra)))]
    return {extra: lack_of(extra) for extra in extras}


def provided_extras() -> Sequence[str]:
    """The extras in the metadata, sorted, without the one that is all of them."""
    from importlib import metadata

    try:
        named = metadata.metadata(DISTRIBUTION).get_all("Provides-Extra") or []
    except metadata.PackageNotFoundError:
        return ()
    return sorted(set(named) - {ALL})


def requirements_of(stated: Iterable[str], extra: str) -> list[Requirement]:
    """What ``extra`` adds, of PEP 508 lines as a package's metadata has them: those that need the extra to apply."""
    from packaging.requirements import Requirement

    found = []
    for line in stated:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is not None and marker.evaluate({"extra": extra}) and not marker.evaluate({"extra": ""}):
            requirement.marker = None
            found.append(requirement)
    return sorted(found, key=str)


@cache
def _of_extra(extra: str) -> Sequence[Requirement]:
    return requirements_of(_requires(), extra)


def _requires() -> Sequence[str]:
    from importlib import metadata

    try:
        return metadata.requires(DISTRIBUTION) or ()
    except metadata.PackageNotFoundError:
        return ()


def _is_met(requirement: Requirement) -> bool:
    from importlib import metadata

    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def _is_found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _installer() -> tuple[str, ...]:
    """The command that installs into this interpreter, without the requirements; nothing of the current folder runs."""
    if _is_found("pip"):
        return (sys.executable, "-I", "-m", "pip", "install")
    # Environments that uv makes, those of its tools among them, have no pip.
    return ("uv", "pip", "install", "--python", sys.executable)


def _own_checkout() -> str | None:
    """The checkout in whose ``.venv`` this interpreter is, and from which the gate is installed there (PEP 610).

    By the metadata alone: an adapter's sandbox needn't show the checkout's other files.
    """
    import json
    from importlib import metadata
    from urllib.parse import unquote, urlsplit

    try:
        origin = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return None
    root = unquote(urlsplit(origin.get("url", "")).path)
    is_editable = origin.get("dir_info", {}).get("editable") is True
    return root if is_editable and root and os.path.realpath(sys.prefix) == os.path.realpath(f"{root}/.venv") else None


def _install(asked: Sequence[str]) -> int:
    """Install these extras by this process, which becomes the installer; returns only where that isn't possible."""
    if not asked or not set(asked) <= {*provided_extras(), ALL}:
        sys.stderr.write(f"usage: python -I -m verigate.extras EXTRA...  one of: {', '.join(provided_extras())}\n")
        return 2
    wanted = {str(requirement): None for extra in asked for requirement in _of_extra(extra)}
    argv = (*_installer(), *wanted)
    sys.stderr.write(f"{' '.join(argv)}\n")
    try:
        os.execvp(argv[0], argv)  # noqa: S606 - an argument vector; no shell is wanted
    except FileNotFoundError:
        sys.stderr.write(f"{argv[0]} is not on PATH: https://docs.astral.sh/uv/\n")
        return 3


if __name__ == "__main__":
    sys.exit(_install(sys.argv[1:]))
