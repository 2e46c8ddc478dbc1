"""Files in which settings of test runners stand with those of the product: take each part from its own version.

The part of the tests is chosen by key; where the two versions differ in one part only, the file of that version is
taken as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from configparser import ConfigParser, Error
from io import StringIO
from typing import Any

_TABLES = frozenset({"pytest", "coverage", "tox", "nox"})
_SECTIONS = ("tool:pytest", "coverage:", "tox:")
_KEYS = frozenset({"jest", "mocha", "ava", "vitest", "c8", "nyc", "tap"})
_SCRIPTS = ("test", "pretest", "posttest")


_OF_NO_TEST: Mapping[str, frozenset[tuple[str, ...]]] = {
    "package.json": frozenset(
        (key,)
        for key in (
            *("version", "description", "keywords", "author", "contributors", "license", "homepage", "repository"),
            *("bugs", "funding", "private", "files", "engines", "packageManager", "eslintConfig", "prettier"),
            *("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "lint-staged"),
        )
    ),
    "pyproject.toml": frozenset(
        {
            *(
                ("tool", key)
                for key in ("ruff", "black", "isort", "mypy", "pyright", "bandit", "codespell", "bumpversion")
            ),
            *(("tool", key) for key in ("towncrier", "commitizen", "semantic_release", "interrogate", "pylint")),
            *(("project", key) for key in ("version", "description", "readme", "license", "authors", "maintainers")),
            *(("project", key) for key in ("keywords", "classifiers", "urls", "dependencies", "optional-dependencies")),
            ("dependency-groups",),
        }
    ),
    "setup.cfg": frozenset({("metadata",), ("flake8",), ("bumpversion",), ("mypy",), ("isort",)}),
}
"""By name of the file, the keys by which no runner runs another test, or runs one otherwise.

Dependencies are those that are installed, for all versions of the tests.
"""


class SplitError(Exception):
    """The file can't be split; the message says why."""


def splice(path: str, code: bytes, tests: bytes) -> bytes:
    """Return the file with the settings of runners of ``tests`` and everything else of ``code``.

    Raises SplitError if a version can't be read.
    """
    if code == tests:
        return code
    reader = _READERS[path.rpartition("/")[2]]
    of_code, of_tests = reader(code), reader(tests)
    if of_code.tests == of_tests.tests:
        return code
    if of_code.rest == of_tests.rest:
        return tests
    return of_code.replace(of_tests)


def matters_to_tests(path: str, before: bytes, after: bytes) -> bool:
    """Whether two versions differ in anything that may concern tests; so they do if one can't be read."""
    name = path.rpartition("/")[2]
    try:
        sides = [_READERS[name](raw) for raw in (before, after)]
    except SplitError:
        return True
    if sides[0].tests != sides[1].tests:
        return True
    old, new = (_drop(side.rest, _OF_NO_TEST[name]) for side in sides)
    return old != new


def _drop(table: Mapping[str, Any], keys: frozenset[tuple[str, ...]], above: tuple[str, ...] = ()) -> dict[str, Any]:
    left = {}
    for key, value in table.items():
        if (*above, key) in keys:
            continue
        inner = any(each[:-1] == (*above, key) for each in keys)
        left[key] = _drop(value, keys, (*above, key)) if inner and isinstance(value, dict) else value
    return left


class _Split:
    """A parsed version: the part of the tests, and the rest."""

    def __init__(self, tests: Mapping[str, Any], rest: Mapping[str, Any]) -> None:
        self.tests = tests
        self.rest = rest

    def replace(self, other: _Split) -> bytes:
        raise NotImplementedError


class _Package(_Split):
    def replace(self, other: _Split) -> bytes:
        scripts = {**self.rest.get("scripts", {}), **other.tests.get("scripts", {})}
        merged = {**self.rest, **other.tests, **({"scripts": scripts} if scripts else {})}
        return json.dumps(merged, indent=2, ensure_ascii=False).encode() + b"\n"


class _Toml(_Split):
    def replace(self, other: _Split) -> bytes:
        import tomlkit  # loaded for the rare change of both parts

        return tomlkit.dumps({**self.rest, "tool": {**self.rest.get("tool", {}), **other.tests}}).encode()


class _Ini(_Split):
    def replace(self, other: _Split) -> bytes:
        parser = ConfigParser(interpolation=None, strict=False)
        parser.read_dict({**self.rest, **other.tests})
        out = StringIO()
        parser.write(out)
        return out.getvalue().encode()


def _read_package(raw: bytes) -> _Split:
    try:
        table = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SplitError(f"is not JSON: {error}") from error
    if not isinstance(table, dict):
        raise SplitError("is not a JSON object")
    scripts = table.get("scripts")
    scripts = scripts if isinstance(scripts, dict) else {}
    of_tests = {name: line for name, line in scripts.items() if name.split(":")[0] in _SCRIPTS}
    tests = {name: value for name, value in table.items() if name in _KEYS} | {"scripts": of_tests}
    rest = {name: value for name, value in table.items() if name not in _KEYS}
    if scripts:
        rest["scripts"] = {name: line for name, line in scripts.items() if name not in of_tests}
    return _Package(tests, rest)


def _read_toml(raw: bytes) -> _Split:
    import tomllib

    try:
        table = tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise SplitError(f"is not TOML: {error}") from error
    tool = table.get("tool")
    tool = tool if isinstance(tool, dict) else {}
    tests = {name: value for name, value in tool.items() if name in _TABLES}
    rest = {**table, "tool": {name: value for name, value in tool.items() if name not in _TABLES}}
    return _Toml(tests, rest)


def _read_ini(raw: bytes) -> _Split:
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(raw.decode())
    except (Error, ValueError) as error:
        raise SplitError(f"can't be read: {str(error).splitlines()[0]}") from error
    sections = {name: dict(parser.items(name)) for name in parser.sections()}
    tests = {name: values for name, values in sections.items() if name.startswith(_SECTIONS)}
    return _Ini(tests, {name: values for name, values in sections.items() if name not in tests})


_READERS = {"package.json": _read_package, "pyproject.toml": _read_toml, "setup.cfg": _read_ini}
