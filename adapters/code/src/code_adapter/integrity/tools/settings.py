"""Read the settings of test runners, linters and similar tools from any file: (tool, folder) -> options by dotted path.

Moving a setting from setup.cfg to pyproject.toml is no change, so all changed files of a folder are merged.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from code_adapter.integrity.tools.documents import (
    Unreadable,
    load_ini,
    load_javascript,
    load_json,
    load_toml,
    load_yaml,
)

Options = dict[str, Any]
"""Dotted path -> scalar or list of scalars."""

_Sections = Mapping[str, Any]


def _at(document: Any, *keys: str) -> Any:
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _pyproject(source: str) -> _Sections:
    tool = _at(load_toml(source), "tool") or {}
    return {
        "pytest": _at(tool, "pytest", "ini_options") or _at(tool, "pytest"),
        "coverage": _at(tool, "coverage"),
        "ruff": _at(tool, "ruff"),
        "mypy": _at(tool, "mypy"),
        "pylint": _at(tool, "pylint"),
        "flake8": _at(tool, "flake8"),
        "pyright": _at(tool, "pyright"),
        "bandit": _at(tool, "bandit"),
    }


def _ini(source: str) -> _Sections:
    sections = load_ini(source)
    found: dict[str, dict[str, Any]] = {}
    for name, options in sections.items():
        plain = name.removeprefix("tool:")
        if plain in {"pytest", "flake8", "mypy", "bandit"}:
            found.setdefault(plain, {}).update(options)
        elif plain.startswith("coverage:"):
            found.setdefault("coverage", {})[plain.removeprefix("coverage:")] = options
        elif plain.startswith("mypy-"):
            found.setdefault("mypy", {})[f"overrides.{plain.removeprefix('mypy-')}"] = options
        elif plain.lower().startswith(("pylint", "main", "master", "messages control", "messages_control", "design")):
            found.setdefault("pylint", {}).update(options)
    return found


def _coveragerc(source: str) -> _Sections:
    return {"coverage": load_ini(source)}


def _ruff(source: str) -> _Sections:
    return {"ruff": load_toml(source)}


def _package(source: str) -> _Sections:
    document = load_json(source)
    return {
        "jest": _at(document, "jest"),
        "nyc": {**(_at(document, "nyc") or {}), **(_at(document, "c8") or {})},
        "eslint": _at(document, "eslintConfig"),
        "vitest": _at(document, "vitest"),
    }


def _eslint_ignore(source: str) -> _Sections:
    lines = [line.strip() for line in source.splitlines()]
    return {"eslint": {"ignores": [line for line in lines if line and not line.startswith("#")]}}


def _cargo(source: str) -> _Sections:
    document = load_toml(source)
    named = {key: _at(document, key) for key in ("package", "lib", "test")}
    return {"clippy": _at(document, "lints") or _at(document, "workspace", "lints"), "cargo": named}


def _as(tool: str, load: Callable[[str], Any]) -> Callable[[str], _Sections]:
    return lambda source: {tool: load(source)}


def _typescript(source: str) -> Any:
    return load_javascript(source, "typescript")


def _json_or_yaml(source: str) -> Any:
    return load_json(source) if source.lstrip()[:1] in {"{", "/"} else load_yaml(source)


_READERS: tuple[tuple[str, Callable[[str], _Sections]], ...] = (
    ("pyproject.toml", _pyproject),
    ("pytest.ini", _ini),
    (".pytest.ini", _ini),
    ("tox.ini", _ini),
    ("setup.cfg", _ini),
    (".flake8", _ini),
    ("mypy.ini", _ini),
    (".mypy.ini", _ini),
    (".pylintrc", _ini),
    ("pylintrc", _ini),
    (".coveragerc", _coveragerc),
    ("ruff.toml", _ruff),
    (".ruff.toml", _ruff),
    ("package.json", _package),
    ("jest.config.json", _as("jest", load_json)),
    ("jest.config.[cm]js", _as("jest", load_javascript)),
    ("jest.config.js", _as("jest", load_javascript)),
    ("jest.config.*ts", _as("jest", _typescript)),
    ("vitest.config.*ts", _as("vitest", _typescript)),
    ("vite.config.*ts", _as("vitest", _typescript)),
    ("vitest.config.*js", _as("vitest", load_javascript)),
    ("vite.config.*js", _as("vitest", load_javascript)),
    (".nycrc", _as("nyc", _json_or_yaml)),
    (".nycrc.json", _as("nyc", load_json)),
    (".nycrc.y*ml", _as("nyc", load_yaml)),
    (".c8rc", _as("nyc", load_json)),
    (".c8rc.json", _as("nyc", load_json)),
    ("codecov.y*ml", _as("codecov", load_yaml)),
    (".codecov.y*ml", _as("codecov", load_yaml)),
    (".eslintrc", _as("eslint", _json_or_yaml)),
    (".eslintrc.json", _as("eslint", load_json)),
    (".eslintrc.y*ml", _as("eslint", load_yaml)),
    (".eslintrc.*js", _as("eslint", load_javascript)),
    ("eslint.config.*js", _as("eslint", load_javascript)),
    ("eslint.config.*ts", _as("eslint", _typescript)),
    (".eslintignore", _eslint_ignore),
    ("tsconfig*.json", _as("tsconfig", load_json)),
    ("Cargo.toml", _cargo),
    ("clippy.toml", _as("clippy-limits", load_toml)),
    (".clippy.toml", _as("clippy-limits", load_toml)),
)


def is_settings_file(path: str) -> bool:
    """Whether the file may configure a test runner, linter or similar tool."""
    return _reader(path) is not None


def _reader(path: str) -> Callable[[str], _Sections] | None:
    name = PurePosixPath(path).name
    return next((reader for pattern, reader in _READERS if fnmatch.fnmatchcase(name, pattern)), None)


def read_settings(path: str, source: str) -> dict[str, Options]:
    """Read the options of a file by tool; empty for a file that configures none. Raises Unreadable."""
    reader = _reader(path)
    if reader is None or not source.strip():
        return {}
    found: dict[str, Options] = {}
    try:
        sections = reader(source)
    except (AttributeError, TypeError) as error:
        raise Unreadable(f"not the document it should be: {error}") from error
    for tool, value in sections.items():
        if isinstance(value, dict) and value:
            found[tool] = flatten(value)
    return found


def flatten(document: Mapping[Any, Any]) -> Options:
    """Flatten nested tables into options."""
    found: Options = {}
    stack: list[tuple[str, Any]] = [("", document)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((f"{path}.{key}" if path else str(key), item) for key, item in value.items())
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for item in value:
                # A list of tables (mypy overrides, jest projects, eslint overrides) is keyed by what it applies to.
                named = item if isinstance(item, dict) else {"": item}
                label = named.get("module") or named.get("files") or named.get("displayName") or ""
                stack.append((f"{path}.[{label}]", item if isinstance(item, dict) else {"value": item}))
        elif path in found and isinstance(found[path], list) and isinstance(value, list):
            found[path] = [*found[path], *value]
        else:
            found[path] = value
    return found
