"""Run some tests alone: those that GATE_ONLY_TESTS lists, where a comparison of suites tries what helps them.

The gate sets it, never in a verification, and no configuration can. A runner that can't select tests runs all.
"""

from __future__ import annotations

import json

from verigate.sdk import Request

VARIABLE = "GATE_ONLY_TESTS"


def list_node_ids(request: Request, folder: str) -> tuple[str, ...]:
    """List pytest's node ids, relative to ``folder``, of the listed tests; empty to run all.

    An id is ``tests.test_a.TestA.test_b[x]`` with the file ``tests/test_a.py``, that of a doctest ``a.b.a.b.total``
    with ``a/b.py``; what has another form runs all.
    """
    listed = json.loads(request.environ.get(VARIABLE, "[]"))
    found = [_make_node_id(str(test["id"]), str(test["path"]), folder) for test in listed]
    return tuple(node for node in found if node is not None) if None not in found else ()


def _make_node_id(test: str, path: str, folder: str) -> str | None:
    start = f"{folder}/" if folder else ""
    if not path.startswith(start) or not path.endswith(".py") or path.startswith("-"):
        return None
    file = path[len(start) :]
    module = file.removesuffix(".py").replace("/", ".")
    name, bracket, parameters = test.partition("[")
    if not name.startswith(f"{module}."):
        return None
    inner = name[len(module) + 1 :]
    if not _is_doctest(inner, module):
        inner = inner.replace(".", "::")
    return f"{file}::{inner}{bracket}{parameters}"


def _is_doctest(inner: str, module: str) -> bool:
    """Whether a name within ``module`` is a doctest's: it begins with the name by which the module is imported."""
    parts = module.removesuffix(".__init__").split(".")
    imported = (".".join(parts[start:]) for start in range(len(parts)))
    return any(f"{inner}.".startswith(f"{name}.") for name in imported)
