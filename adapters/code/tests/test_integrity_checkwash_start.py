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
from code_adapter.integrity.tools.checkwash_start import find_imports, remember, walk

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
    ],
    ids=["assertion", "shadowed", "shadowed-by-fixture", "nothing"],
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
