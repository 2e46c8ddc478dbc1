"""GATE_ONLY_TESTS: which node ids pytest is given, and that anything else runs all tests."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from code_adapter.testing.only_tests import list_node_ids
from verigate.sdk import Request

A = {"id": "tests.test_a.TestA.test_b[x.y/z-1]", "path": "tests/test_a.py"}
B = {"id": "tests.test_a.test_c", "path": "tests/test_a.py"}


@pytest.mark.parametrize(
    ("tests", "folder", "nodes"),
    [
        (None, "", ()),
        ([], "", ()),
        ([A, B], "", ("tests/test_a.py::TestA::test_b[x.y/z-1]", "tests/test_a.py::test_c")),
        ([{"id": "test_a.test_c", "path": "app/test_a.py"}], "app", ("test_a.py::test_c",)),
        ([{"id": "a.core.a.core.total", "path": "a/core.py"}], "", ("a/core.py::a.core.total",)),
        ([{"id": "src.a.core.a.core.T.b", "path": "src/a/core.py"}], "", ("src/a/core.py::a.core.T.b",)),
        ([{"id": "a.__init__.a", "path": "a/__init__.py"}], "", ("a/__init__.py::a",)),
        ([A, {"id": "tests.test_a", "path": "tests/test_a.py"}], "", ()),
        ([{"id": "other.test_c", "path": "tests/test_a.py"}], "", ()),
        ([{"id": "test_c", "path": ""}], "", ()),
        ([{"id": "-x.test_c", "path": "-x.py"}], "", ()),
        ([A], "app", ()),
    ],
)
def test_listed_tests_become_node_ids(tests: Any, folder: str, nodes: tuple[str, ...]) -> None:
    environ = {} if tests is None else {"GATE_ONLY_TESTS": json.dumps(tests)}
    assert list_node_ids(cast("Request", SimpleNamespace(environ=environ)), folder) == nodes
