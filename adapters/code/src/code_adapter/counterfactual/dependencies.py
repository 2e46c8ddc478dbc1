"""Tell whether a change installs or compiles something else: what fails in base may then fail because of that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from code_adapter.integrity.tools.documents import Unreadable, load_ini, load_json, load_toml

_FILES = re.compile(
    r"(?:^|/)(?:requirements[^/]*\.(?:txt|in)|constraints[^/]*\.txt|uv\.lock|poetry\.lock|pdm\.lock|Pipfile(?:\.lock)?"
    r"|pylock[^/]*\.toml|environment\.ya?ml|setup\.py|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock"
    r"|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum)$|\.(?:pyx|pxd|c|cc|cpp|h|hpp|rs)$"
)
_KEYS: Mapping[str, tuple[str, ...]] = {
    "package.json": (
        *("dependencies", "devDependencies", "optionalDependencies", "peerDependencies"),
        *("overrides", "resolutions", "pnpm.overrides"),
    ),
    "pyproject.toml": (
        *("project.dependencies", "project.optional-dependencies", "dependency-groups", "build-system.requires"),
        *("tool.poetry.dependencies", "tool.poetry.dev-dependencies", "tool.poetry.group", "tool.pdm.dev-dependencies"),
        *("tool.uv.dev-dependencies", "tool.uv.sources"),
    ),
    "setup.cfg": ("options.install_requires", "options.setup_requires", "options.extras_require"),
}
"""What of a file that says other things too is about dependencies, by its keys from the outside in."""


def differ_in_dependencies(path: str, base: str, head: str) -> bool:
    """Whether two versions of a file that differs install or compile something else. One that can't be read does."""
    if _FILES.search(path):
        return True
    name = path.rpartition("/")[2]
    if name not in _KEYS:
        return False
    try:
        before, after = _load(name, base), _load(name, head)
    except Unreadable:
        return True
    return any(_find(before, key) != _find(after, key) for key in _KEYS[name])


def _load(name: str, source: str) -> Any:
    if not source.strip():
        return {}
    if name == "setup.cfg":
        sections = load_ini(source)
        return {"options": {**sections.get("options", {}), "extras_require": sections.get("options.extras_require")}}
    return load_toml(source) if name == "pyproject.toml" else load_json(source)


def _find(value: Any, key: str) -> Any:
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
