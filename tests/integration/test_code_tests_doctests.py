"""The doctests of a project's own calls of pytest run as well, each once, and nothing else that a call doesn't name."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from code_repo import Answer, CodeRepo, make_repo
from lean_environment import HERE, lean_python, make_environment, site_packages

RIGHT = 'def total(prices):\n    """Add.\n\n    >>> total([1, 2])\n    3\n    """\n    return sum(prices)\n'
WRONG = RIGHT.replace("    3\n", "    4\n")
TEST = "from shop.core import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
TOX = (
    "[tox]\nenvlist = py311\n\n[testenv]\nchangedir = .tox\n"
    "commands = coverage run -m pytest -vv --doctest-modules {envsitepackagesdir}/shop {posargs}\n"
)
FILES = {
    "setup.py": "raise SystemExit('imported')\n",
    "pytest.ini": "[pytest]\ndoctest_optionflags = ELLIPSIS\n",
    "tox.ini": TOX,
    "shop/__init__.py": '"""A shop.\n\n>>> 1 + 1\n2\n"""\n',
    "shop/core.py": RIGHT,
    "shop/test/__init__.py": "",
    "shop/test/test_core.py": TEST,
}
"""Tests and package in one folder, as in glom."""

SCRIPT = "import nothing_of_this_name\n\n\ndef f():\n    '''\n    >>> 1\n    2\n    '''\n"
"""What no call of the project imports, and what would fail."""


def read(repo: CodeRepo, **more: Any) -> tuple[int, int]:
    """How many tests passed and failed."""
    tests = repo.run("code:tests", gated=True, **more).json("tests.json")
    assert tests["total"] == tests["passed"] + tests["failed"] + tests["skipped"]
    return tests["passed"], tests["failed"]


def by_hand(repo: CodeRepo, *arguments: str) -> str:
    argv = [lean_python(), "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(argv, cwd=repo.root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[-1]


def test_the_number_of_tests_is_that_of_toxs_command(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {**FILES, "scripts/tool.py": SCRIPT})
    assert by_hand(repo, "--doctest-modules", "shop").startswith("3 passed")
    answer = repo.run("code:tests", gated=True)
    assert answer.json("tests.json")["passed"] == 3
    assert answer.json("tests.json")["failed"] == 0
    assert "--doctest-modules" in answer.json("tests.meta.json")["commands"][0]["argv"]


def test_a_broken_doctest_fails(tmp_path: Path) -> None:
    tests = make_repo(tmp_path, {**FILES, "shop/core.py": WRONG}).run("code:tests", gated=True).json("tests.json")
    assert (tests["passed"], tests["failed"]) == (2, 1)
    (failure,) = tests["failures"]
    assert (failure["path"], failure["id"]) == ("shop/core.py", "shop.core.shop.core.total")


def test_a_module_that_cannot_be_imported_fails(tmp_path: Path) -> None:
    assert read(make_repo(tmp_path, {**FILES, "shop/extra.py": SCRIPT})) == (3, 1)


def test_without_own_calls_nothing_differs(tmp_path: Path) -> None:
    files = {path: text for path, text in FILES.items() if path != "tox.ini"}
    answer = make_repo(tmp_path, {**files, "shop/core.py": WRONG}).run("code:tests", gated=True)
    assert answer.json("tests.json")["total"] == 1
    assert not any("doctest" in word for word in answer.json("tests.meta.json")["commands"][0]["argv"])


def test_options_of_the_settings_are_enough(tmp_path: Path) -> None:
    settings = {"pytest.ini": "[pytest]\naddopts = --doctest-modules\ntestpaths = shop\n"}
    answer = make_repo(tmp_path, {**FILES, **settings}).run("code:tests", gated=True)
    assert answer.json("tests.json")["passed"] == 3
    assert not any("doctest" in word for word in answer.json("tests.meta.json")["commands"][0]["argv"])


@pytest.mark.parametrize("settings", ["", "testpaths = tests\n"])
def test_tests_outside_of_the_paths_run_as_before_and_without_their_doctests(tmp_path: Path, settings: str) -> None:
    files = {
        **{path: text for path, text in FILES.items() if "/test/" not in path},
        "pytest.ini": f"[pytest]\n{settings}",
        "tests/test_core.py": f'"""\n>>> 1\n2\n"""\n{TEST}',
        "tests/test_page.txt": ">>> 1\n1\n",
        "tests/data/sample.py": SCRIPT,
    }
    repo = make_repo(tmp_path, files)
    assert by_hand(repo).startswith("2 passed")
    assert read(repo) == (4, 0)


def test_texts_of_a_glob_below_the_paths(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "[pytest]\n",
        "Makefile": "test:\n\tpython -m pytest --doctest-glob='*.md' docs tests\n",
        "docs/a.md": ">>> 1\n1\n",
        "other/b.md": ">>> 1\n2\n",
        "other/test_c.txt": ">>> 1\n1\n",
        "tests/test_a.py": "def test_a(): pass\n",
    }
    assert read(make_repo(tmp_path, files)) == (3, 0)


def test_what_a_call_ignores_is_not_imported(tmp_path: Path) -> None:
    tox = "[testenv]\ncommands = pytest --doctest-modules --ignore setup.py --ignore=scripts\n"
    assert read(make_repo(tmp_path, {**FILES, "tox.ini": tox, "scripts/tool.py": SCRIPT})) == (3, 0)


def test_a_path_that_nobody_knows_is_said(tmp_path: Path) -> None:
    tox = "[testenv]\ncommands = pytest --doctest-modules $WHERE\n"
    tests = make_repo(tmp_path, {**FILES, "tox.ini": tox}).run("code:tests", gated=True).json("tests.json")
    assert tests["total"] == 1
    assert tests["unexamined"] == [
        {
            "what": "doctests",
            "path": "tox.ini",
            "why": "pytest is called with a path that isn't known here: $WHERE",
        }
    ]


def test_a_doctest_alone_is_found_by_its_id(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {**FILES, "shop/core.py": WRONG})
    failures = repo.run("code:tests", gated=True).json("tests.json")["failures"]
    listed = [{"id": each["id"], "path": each["path"]} for each in failures]
    package = {"id": "shop.__init__.shop", "path": "shop/__init__.py"}
    assert read(repo, GATE_ONLY_TESTS=json.dumps([*listed, package])) == (1, 1)


def test_by_impact_the_doctests_of_the_files_that_a_change_concerns_run(tmp_path: Path) -> None:
    files = {**FILES, "shop/tax.py": RIGHT.replace("total", "tax"), "shop/core.py": RIGHT}
    repo = make_repo(tmp_path, files)
    repo.write({"shop/tax.py": WRONG.replace("total", "tax")})
    tests = repo.run("code:tests", gated=True, rules={"tests": "impacted"}, GATE_CI="").json("tests.json")
    assert tests["failed"] == 1
    assert [item["chosen"] < item["of"] for item in tests["selected"]] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "addopts = -n2\n"])
def test_measured_tests_are_the_same_also_in_the_workers_of_xdist(tmp_path: Path, options: str) -> None:
    settings = {".gitignore": ".venv\n", "pytest.ini": f"[pytest]\n{options}"}
    repo = make_repo(tmp_path, {**FILES, **settings, "scripts/tool.py": SCRIPT})
    if options:
        make_environment(repo.root / ".venv")
        site_packages(repo.root / ".venv").mkdir()
        (site_packages(repo.root / ".venv") / "all.pth").write_text(f"{site_packages(HERE)}\n")
    assert read(repo) == (3, 0)
    measured = repo.run("code:coverage", gated=True)
    files = [file["path"] for file in measured.json("coverage.json")["files"]]
    assert "shop/core.py" in files
    assert not any("verigate" in path for path in files)
    tests = repo.run("code:tests", gated=True, given=measured)
    assert tests.json("tests.json")["passed"] == 3
    assert tests.json("tests.meta.json")["commands"][0]["by"] == "code:coverage"


def findings(repo: CodeRepo) -> list[tuple[str, str]]:
    answer: Answer = repo.run("code:integrity", gated=True)
    return [(each["rule"], each["weight"]) for each in answer.json("integrity.json")["findings"]]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"tox.ini": TOX.replace("--doctest-modules ", "")}, ["doctests-gone"]),
        ({"tox.ini": None}, ["doctests-gone"]),
        ({"tox.ini": TOX.replace("/shop", "/shop/test")}, ["doctests-gone"]),
        ({"tox.ini": TOX.replace("{posargs}", "--ignore=shop/core.py")}, ["doctests-ignored"]),
        ({"tox.ini": TOX.replace("{envsitepackagesdir}", "{toxinidir}")}, []),
        ({"tox.ini": TOX.replace(" {envsitepackagesdir}/shop", "").replace("changedir = .tox\n", "")}, []),
        ({"tox.ini": None, "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}, []),
        ({"tox.ini": None, "Makefile": "test:\n\tpytest --doctest-modules shop\n"}, []),
    ],
)
def test_a_change_that_drops_the_doctests_is_a_weakening(
    tmp_path: Path, files: dict[str, str | None], found: list[str]
) -> None:
    repo = make_repo(tmp_path, FILES)
    for path, text in files.items():
        if text is None:
            (repo.root / path).unlink()
        else:
            repo.write({path: text})
    repo.write({"shop/core.py": WRONG})
    assert findings(repo) == [(rule, "weakening") for rule in found]


@pytest.mark.parametrize(
    ("core", "found"),
    [
        (RIGHT.replace("    >>> total([1, 2])\n    3\n", ""), "lost"),
        (WRONG.replace("sum(prices)", "sum(prices) + 1"), "followed"),
    ],
)
def test_examples_of_own_calls_run_in_the_cells(tmp_path: Path, core: str, found: str) -> None:
    repo = make_repo(tmp_path, FILES)
    repo.write({"shop/core.py": core})
    compared = repo.run("code:counterfactual", gated=True).json("counterfactual.json")
    assert [each["class"] for each in compared["tests"] if each["test"] == "shop.core.total"] == [found]


def test_an_example_that_is_skipped_now_is_a_weakening(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, FILES)
    old = FILES["shop/core.py"]
    example = next(line for line in old.splitlines() if ">>>" in line)
    repo.write({"shop/core.py": old.replace(example, f"{example}  # doctest: +SKIP")})
    assert findings(repo) == [("doctest-skip", "weakening")]
    repo.write({"shop/core.py": old.replace(example, f"    >>> fetch()  # doctest: +SKIP\n{example}")})
    assert findings(repo) == []


def test_a_file_with_the_name_of_the_plug_in_does_not_take_its_place(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, FILES)
    repo.write({"verigate_doctests.py": "raise SystemExit('taken')\n", "shop/core.py": WRONG})
    assert read(repo) == (2, 1)
    assert findings(repo) == [("judge-shadowed", "tampering")]


def test_settings_that_drop_the_doctests_are_weakened(tmp_path: Path) -> None:
    files = {path: text for path, text in FILES.items() if path != "tox.ini"}
    repo = make_repo(tmp_path, {**files, "pytest.ini": "[pytest]\naddopts = --doctest-modules --doctest-glob=*.md\n"})
    repo.write({"pytest.ini": "[pytest]\naddopts = --doctest-glob=*.rst\n"})
    assert findings(repo) == [("doctests-gone", "weakening")] * 2
