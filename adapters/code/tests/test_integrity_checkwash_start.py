"""What checkwash asks git a second time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from change_repository import change_repository

from code_adapter.integrity.tools.checkwash_run import START
from code_adapter.integrity.tools.checkwash_start import (
    describe_tests,
    does_the_same,
    find_imports,
    remember,
    walk,
)

TREE = ["git", "-C", "/r", "ls-tree", "-r", "abc"]


def test_a_settled_answer_is_asked_for_once_and_others_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[Any, Any]] = []

    def run(argv: Any, **options: Any) -> subprocess.CompletedProcess[bytes]:
        ran.append((argv, options))
        return subprocess.CompletedProcess(argv, 0, str(len(ran)).encode())

    monkeypatch.setattr(subprocess, "run", run)
    remember(frozenset({"ls-tree"}))
    calls: list[tuple[list[str], dict[str, Any]]] = [
        (TREE, {}),
        (TREE, {}),
        (TREE, {"input": b"x"}),
        ([*TREE, "more"], {}),
        (["git", "-C", "/r", "grep", "x"], {}),
        (["git", "-C", "/r", "grep", "x"], {}),
        (["git", "ls-tree"], {}),
        (["git", "ls-tree"], {}),
    ]
    assert [subprocess.run(argv, **options).stdout for argv, options in calls] == [  # noqa: PLW1510 - a stand-in
        b"1", b"1", b"2", b"3", b"4", b"5", b"6", b"7",
    ]  # fmt: skip


ADD = "def add(a, b):\n    return a + b\n"
SHADOWED = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = [".", "src"]\n',
    "src/calc.py": ADD,
    "tests/conftest.py": (
        "import pytest\n\n\n@pytest.fixture\ndef three():\n    from calc import add\n\n    return add(1, 2)\n"
    ),
    "tests/test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "tests/test_three.py": "def test_three(three):\n    assert three == 3\n",
    "tests/test_other.py": "import json\n\n\ndef test_other():\n    assert json.loads('1') == 1\n",
}
TEST = "def test_add():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n"
OF_CALC = (
    "import calc\n\n\ndef test_one():\n    assert calc.add(1, 2) == 3\n\n\n"
    "def test_two():\n    assert calc.add(2, 2) == 4\n"
)
STOOD_IN = {"calc.py": ADD, "tests/test_calc.py": OF_CALC}
REPLACED = OF_CALC.replace(
    "def test_two():\n", "def test_two(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 4)\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "change", "finds"),
    [
        ({"test_a.py": TEST}, {"test_a.py": TEST.rpartition("    ")[0]}, b"ASSERT_REMOVED"),
        (SHADOWED, {"calc.py": ADD.replace("a + b", "3")}, b"tests/test_calc.py"),
        (
            {k: v for k, v in SHADOWED.items() if k != "tests/test_calc.py"},
            {"calc.py": "add = max\n"},
            b"test_three.py",
        ),
        (SHADOWED, {"unused.py": ADD}, b'"findings": []'),
        (STOOD_IN, {"tests/test_calc.py": REPLACED}, b"TEST_PATCHES_SUBJECT"),
    ],
    ids=["assertion", "shadowed", "shadowed-by-fixture", "nothing", "stand-in"],
)
def test_it_reports_what_checkwash_reports(
    tmp_path: Path, base: dict[str, str], change: dict[str, str], finds: bytes
) -> None:
    repository = change_repository(tmp_path / "r", base, base | change)
    subprocess.run(["git", "add", "--all"], cwd=repository.root, check=True)
    identity = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    subprocess.run(["git", *identity, "commit", "-q", "-m", "x"], cwd=repository.root, check=True)
    printed = []
    for start in ((str(START),), ("-m", "checkwash")):
        argv = [sys.executable, "-I", *start, "check", "HEAD~1..HEAD", "--format", "json"]
        done = subprocess.run(argv, cwd=repository.root, capture_output=True, check=False)
        printed.append((done.returncode, done.stdout, done.stderr))
    assert printed[0] == printed[1]
    assert finds in printed[0][1], printed[0]


def test_a_tree_is_walked_as_ast_walks_it() -> None:
    tree = ast.parse(Path(__file__).read_bytes())
    assert list(walk(tree)) == list(ast.walk(tree))


@pytest.mark.parametrize(
    ("source", "package", "modules"),
    [
        ("import a.b, c as d\n", "", {"a.b", "c"}),
        ("def f():\n    from a import b, c\n", "", {"a", "a.b", "a.c"}),
        ("from . import b\n", "p.q", {"p.q", "p.q.b"}),
        ("from ..a import b\n", "p.q", {"p.a", "p.a.b"}),
        ("from \\\n  . import b\n", "p", {"p", "p.b"}),
        ("def broken(:\n", "", set()),
    ],
)
def test_every_module_that_an_import_may_mean_is_listed(source: str, package: str, modules: set[str]) -> None:
    assert find_imports(source, package) == modules


HELPED = """\
import json
from calc import add

LIMIT = 3


def check(value):
    assert value == LIMIT


class TestAdd:
    @mark("a")
    def test_one(self):
        check(add(1, 2))

    def test_two(self):
        assert json.loads("4") == 4


def test_three():
    assert add(0, 3) == 3
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("== 4", "== 5", {"TestAdd.test_one", "test_three"}),
        ("import json\n", "import os\nimport json\n", {"TestAdd.test_one", "TestAdd.test_two", "test_three"}),
        ("import json\n", "import simplejson as json\n", {"TestAdd.test_one", "test_three"}),
        ("from calc import add\n", "from fake import add\n", {"TestAdd.test_two"}),
        ("import json\n", "import json; patch()\n", set()),
        ("import json\n", "from fake import *\n", set()),
        ("LIMIT = 3", "LIMIT = 4", set()),
        ("assert add(0, 3) == 3", "TestAdd().test_one()\n    check(3)", {"TestAdd.test_one", "TestAdd.test_two"}),
        ("check(add(1, 2))", "check(3)", {"TestAdd.test_two", "test_three"}),
        ("def test_three():", "def test_three():  # test_two", {"TestAdd.test_one", "TestAdd.test_two"}),
        ('@mark("a")', '@mark("b")', {"TestAdd.test_two", "test_three"}),
        (
            "def test_three",
            "def test_two():\n    pass\n\n\ndef test_three",
            {"TestAdd.test_one", "TestAdd.test_two", "test_three"},
        ),
        ("def test_three", "def test_three():\n    pass\n\n\ndef test_three", set()),
    ],
)
def test_a_test_is_followed_where_anything_that_it_names_changed(old: str, new: str, same: set[str]) -> None:
    assert HELPED.count(old) == 1
    sources = [(("tests/conftest.py", "X = 1\n"), ("test_a.py", text)) for text in (HELPED, HELPED.replace(old, new))]
    before, after = (describe_tests(each, "test_a.py") for each in sources)
    names = ("TestAdd.test_one", "TestAdd.test_two", "test_three")
    assert {name for name in names if does_the_same(before, after, name)} == same


def test_a_test_that_a_changed_test_may_be_called_by_is_followed() -> None:
    called = HELPED.replace("assert add(0, 3) == 3", "TestAdd().test_one()")
    sides = [(("test_a.py", text),) for text in (called, called.replace("check(add(1, 2))", "check(3)"))]
    before, after = (describe_tests(each, "test_a.py") for each in sides)
    assert not does_the_same(before, after, "test_three")
    other = describe_tests((("conftest.py", "X = 1\n"), ("test_a.py", called)), "test_a.py")
    assert not does_the_same(before, other, "TestAdd.test_two")
