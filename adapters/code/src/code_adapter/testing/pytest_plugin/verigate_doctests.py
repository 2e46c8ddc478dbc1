"""A plug-in of pytest that drops doctests outside of the paths that a project's own calls name.

It runs in the project's environment, so it needs nothing but pytest, from 6 on. PYTEST_DONT_REWRITE
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator
from fnmatch import fnmatchcase
from typing import Any

import pytest

_DOCTESTS = re.compile(r"doctest(module|textfile)", re.IGNORECASE)
"""The collectors of pytest and of pytest-doctestplus begin with these names."""


def pytest_addoption(parser: Any) -> None:
    """Add the option that lists where doctests are run."""
    parser.addoption("--verigate-doctests", default="[]", help="JSON: where doctests are run")


@pytest.hookimpl(hookwrapper=True)
def pytest_collect_file(parent: Any) -> Generator[None, Any, None]:
    """Drop the collectors of doctests that no scope takes."""
    outcome = yield
    scopes = json.loads(parent.config.getoption("--verigate-doctests"))
    here = str(parent.config.invocation_params.dir)
    outcome.force_result([node for node in outcome.get_result() if _stays(node, scopes, here)])


def _stays(node: Any, scopes: list[dict[str, Any]], here: str) -> bool:
    kind = _DOCTESTS.match(type(node).__name__)
    if kind is None:
        return True
    path = os.path.relpath(str(getattr(node, "path", None) or node.fspath), here).replace(os.sep, "/")
    return any(_takes(scope, path, kind.group(1).lower()) for scope in scopes)


def _takes(scope: dict[str, Any], path: str, kind: str) -> bool:
    if not any(_is_below(path, root) for root in scope["roots"]):
        return False
    if any(_is_below(path, ignored) or fnmatchcase(path, ignored) for ignored in scope["ignored"]):
        return False
    if kind == "module":
        return bool(scope["modules"])
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in glob else name, glob) for glob in scope["globs"])


def _is_below(path: str, root: str) -> bool:
    return not root or path == root or path.startswith(f"{root}/")
