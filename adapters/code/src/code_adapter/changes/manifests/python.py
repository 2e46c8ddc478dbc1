"""Python: pyproject.toml, requirements files, setup.cfg, and the lock files of uv, poetry, pdm and pipenv.

Sources: PEP 508, 621, 735; the manuals of poetry and tox.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from code_adapter.changes.manifests.pin import Pin, Read

_CLASSIFIER = re.compile(r"Programming Language :: Python :: (\d+(?:\.\d+)?)(?:$|\s)")
_ENVIRONMENT = re.compile(r"(?<![\w.])(py|pypy)(?:(\d)\.?(\d{1,2}))(?![\w])")
_FACTORS = re.compile(r"(?<![\w.])(py|pypy)\{([\d.,\s]+)\}")


def read_requirement(text: str) -> Pin | None:
    """Read one requirement; None for an option, a comment, a path or anything else."""
    line = re.sub(r"(?:^|\s)#.*", "", text).strip().rstrip("\\").strip()
    line = re.sub(r"\s--hash=\S+", "", line)
    if not line or line.startswith(("-", ".", "/")):
        return None
    try:
        found = Requirement(line)
    except InvalidRequirement:
        return None
    return Pin("pypi", normalize(found.name), str(found.specifier) or (found.url or ""))


def normalize(name: str) -> str:
    """Normalize a project's name as PEP 503 does."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _read_lines(lines: Iterable[Any]) -> Iterator[Pin]:
    for line in lines:
        if isinstance(line, str) and (pin := read_requirement(line)) is not None:
            yield pin


def read_requirements(source: str) -> Iterator[Pin]:
    """Read a requirements file."""
    yield from _read_lines(source.splitlines())


def read_environments(text: str) -> Iterator[Pin]:
    """Read the versions that a list of tox environments names."""
    expanded = _FACTORS.sub(lambda m: " ".join(f"{m[1]}{v.strip()}" for v in m[2].split(",") if v.strip()), text)
    for kind, major, minor in _ENVIRONMENT.findall(expanded):
        yield Pin("runtime", "python" if kind == "py" else "pypy", f"{major}.{minor}", "runtime")


def _of_project(project: dict[str, Any]) -> Iterator[Pin]:
    yield from _read_lines(project.get("dependencies") or ())
    for extra in (project.get("optional-dependencies") or {}).values():
        yield from _read_lines(extra)
    if project.get("requires-python"):
        yield Pin("runtime", "python", str(project["requires-python"]), "runtime")
    yield from _of_classifiers(project.get("classifiers") or ())
    if project.get("version"):
        yield Pin("own", normalize(str(project.get("name", ""))), str(project["version"]), "own")


def _of_classifiers(lines: Iterable[str]) -> Iterator[Pin]:
    for line in lines:
        if (found := _CLASSIFIER.match(str(line).strip())) and "." in found[1]:
            yield Pin("runtime", "python", found[1], "runtime")


def _of_poetry(poetry: dict[str, Any]) -> Iterator[Pin]:
    groups = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
    groups += [group.get("dependencies") for group in (poetry.get("group") or {}).values()]
    for group in groups:
        for name, value in (group or {}).items():
            version = value if isinstance(value, str) else value.get("version", "") if isinstance(value, dict) else ""
            if name == "python":
                yield Pin("runtime", "python", str(version), "runtime")
            else:
                yield Pin("pypi", normalize(name), str(version))
    if poetry.get("version"):
        yield Pin("own", normalize(str(poetry.get("name", ""))), str(poetry["version"]), "own")


def read_pyproject(source: str) -> Iterator[Pin]:
    """Read pyproject.toml."""
    document = tomllib.loads(source)
    yield from _of_project(document.get("project") or {})
    yield from _read_lines((document.get("build-system") or {}).get("requires") or ())
    for group in (document.get("dependency-groups") or {}).values():
        yield from _read_lines(group)
    tool = document.get("tool") or {}
    yield from _of_poetry(tool.get("poetry") or {})
    for name, group in ((tool.get("pdm") or {}).get("dev-dependencies") or {}).items():
        yield from _read_lines(group if name else ())
    yield from _read_lines((tool.get("uv") or {}).get("dev-dependencies") or ())
    tox = tool.get("tox") or {}
    yield from read_environments(" ".join(map(str, tox.get("env_list") or ())) or str(tox.get("legacy_tox_ini", "")))
    if python := (tool.get("mypy") or {}).get("python_version"):
        yield Pin("runtime", "python (mypy)", str(python), "runtime")


def read_setup_cfg(source: str) -> Iterator[Pin]:
    """Read setup.cfg or tox.ini."""
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(source)
    options = dict(parser["options"]) if parser.has_section("options") else {}
    extras = dict(parser["options.extras_require"]) if parser.has_section("options.extras_require") else {}
    for text in (options.get("install_requires", ""), *extras.values()):
        yield from read_requirements(text)
    if options.get("python_requires"):
        yield Pin("runtime", "python", options["python_requires"], "runtime")
    if parser.has_section("metadata"):
        yield from _of_classifiers(parser.get("metadata", "classifiers", fallback="").splitlines())
        version = parser.get("metadata", "version", fallback="")
        if version and not version.startswith(("attr:", "file:")):
            yield Pin("own", normalize(parser.get("metadata", "name", fallback="")), version, "own")
    if parser.has_section("tox"):
        listed = parser.get("tox", "envlist", fallback="") or parser.get("tox", "env_list", fallback="")
        yield from read_environments(listed)
    for section in parser.sections():
        if section.startswith("testenv"):
            yield from _read_lines(
                line.rpartition(": ")[2] for line in parser.get(section, "deps", fallback="").split("\n")
            )


def _read_locked(source: str) -> Iterator[Pin]:
    document = tomllib.loads(source)
    for package in document.get("package") or ():
        kind = package.get("source") or {}
        if isinstance(kind, dict) and {"editable", "virtual"} & kind.keys():
            continue
        yield Pin("pypi", normalize(package["name"]), str(package.get("version", "")))


def _read_pipfile(source: str) -> Iterator[Pin]:
    document = tomllib.loads(source)
    for section in ("packages", "dev-packages"):
        for name, value in (document.get(section) or {}).items():
            yield Pin("pypi", normalize(name), value if isinstance(value, str) else str(value.get("version", "")))


def _read_pipfile_lock(source: str) -> Iterator[Pin]:
    document = json.loads(source)
    for section in ("default", "develop"):
        for name, value in (document.get(section) or {}).items():
            yield Pin("pypi", normalize(name), str(value.get("version", "")))


READERS: tuple[tuple[str, Read], ...] = (
    ("pyproject.toml", read_pyproject),
    ("*requirements*.txt", read_requirements),
    ("*requirements*.in", read_requirements),
    ("*requirements/*.txt", read_requirements),
    ("*requirements/*.in", read_requirements),
    ("setup.cfg", read_setup_cfg),
    ("tox.ini", read_setup_cfg),
    ("uv.lock", _read_locked),
    ("poetry.lock", _read_locked),
    ("pdm.lock", _read_locked),
    ("Pipfile", _read_pipfile),
    ("Pipfile.lock", _read_pipfile_lock),
)
