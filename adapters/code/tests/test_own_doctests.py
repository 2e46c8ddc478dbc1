"""Which doctests a project's own calls of pytest run, read from its files; and what pytest is given for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.own_doctests import Doctests, find_doctests
from verigate.sdk import Request

CODE = {"shop/core.py": "", "src/pack/core.py": "", "tests/test_shop.py": "", "docs/a.rst": "", "README.rst": ""}
GLOM = (
    "[testenv]\nchangedir = .tox\ncommands = coverage run --parallel --rcfile {toxinidir}/.rc -m pytest -vv"
    " --doctest-modules {envsitepackagesdir}/shop {posargs}\n"
)


def find(
    folder: Path, files: Mapping[str, str], *, project: str = "", plus: bool = True, excluded: str = ""
) -> Doctests:
    whole = {**({} if project else CODE), **files}
    for path, text in whole.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    config = {"excluded": [{"what": "doctests", "path": excluded, "why": "slow"}]} if excluded else {}
    request = cast("Request", SimpleNamespace(config=config))
    return find_doctests(request, SubjectFiles(folder, tuple(sorted(whole))), project, has_plus=plus)


def scopes(found: Doctests) -> list[dict[str, Any]]:
    """Where doctests are run that weren't before."""
    given = [word.partition("=")[2] for word in found.options if word.startswith("--verigate-doctests=")]
    return list(json.loads(given[0])[1:]) if given else []


def roots(found: Doctests) -> list[str]:
    return [root for scope in scopes(found) for root in scope["roots"]]


def test_toxs_package_is_that_of_the_repository(tmp_path: Path) -> None:
    found = find(tmp_path, {"tox.ini": GLOM})
    assert found.options[:3] == ("--doctest-modules", "-p", "verigate_doctests")
    assert scopes(found) == [{"modules": True, "globs": [], "roots": ["shop"], "ignored": []}]
    assert (found.where, found.unexamined) == ((), ())
    assert found.then


WORKFLOW = ".github/workflows/a.yml"
HATCH = '[tool.hatch.envs.default.scripts]\ntest = "pytest --doctest-modules {args:shop}"\n'
TOX_TOML = '[env_run_base]\ncommands = [["pytest", "--doctest-modules", {replace = "posargs", default = ["shop"]}]]\n'
LEGACY = '[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ncommands = pytest --doctest-modules shop\n"""\n'
NOX = (
    "import nox\n\n@nox.session\ndef tests(session):\n"
    '    session.run("pytest", "--doctest-modules", "shop", *session.posargs)\n'
)
MAKE = "PKG := shop\nPYTEST ?= python -m pytest\ntest:\n\t@$(PYTEST) --doctest-modules $(PKG) $(ARGS)\n"
STEP = "jobs: {t: {steps: [{run: 'cd src && pytest --doctest-modules pack; echo done'}]}}\n"
LINES = (
    "jobs:\n  t:\n    steps:\n      - run: |\n          cd src\n"
    "          pytest -n 2 \\\n            --doctest-modules pack\n"
)
PLACED = "jobs: {t: {steps: [{run: pytest --doctest-modules, working-directory: src}]}}\n"
GITLAB = "test:\n  script:\n    - pip install .\n    - pytest --cov shop --doctest-modules shop\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("tox.ini", "[testenv]\ncommands = pytest --doctest-modules {env_site_packages_dir}/pack\n", ["src/pack"]),
        ("tox.ini", "[testenv]\ncommands =\n  py3: pytest \\\n    --doctest-modules {posargs:src}\n", ["src"]),
        (
            "tox.ini",
            (
                "[testenv:test-py{39,310}]\nchangedir = {toxinidir}/src\n"
                "commands = pytest --doctest-modules ./pack {toxinidir}/tests\n"
            ),
            ["src/pack", "tests"],
        ),
        ("tox.ini", "[testenv]\nchangedir = src\ncommands = pytest --doctest-modules\n", ["src"]),
        ("tox.ini", "[testenv]\ncommands = pytest --pyargs pack.core --doctest-modules\n", ["src/pack/core.py"]),
        ("pyproject.toml", LEGACY, ["shop"]),
        ("tox.toml", TOX_TOML, ["shop"]),
        ("pyproject.toml", '[tool.tox.env.py311]\ncommands = [["py.test", "--doctest-modules", "shop"]]\n', ["shop"]),
        ("pyproject.toml", HATCH, ["shop"]),
        ("hatch.toml", HATCH.replace("tool.hatch.", ""), ["shop"]),
        ("pyproject.toml", '[tool.poe.tasks]\ntest = { cmd = "pytest --doctest-modules shop" }\n', ["shop"]),
        ("noxfile.py", NOX, ["shop"]),
        ("Makefile", MAKE, ["shop"]),
        (WORKFLOW, STEP, ["src/pack"]),
        (WORKFLOW, LINES, ["src/pack"]),
        (WORKFLOW, PLACED, ["src"]),
        (".gitlab-ci.yml", GITLAB, ["shop"]),
    ],
)
def test_own_calls_are_read(tmp_path: Path, path: str, text: str, expected: list[str]) -> None:
    found = find(tmp_path, {path: text})
    assert (roots(found), found.unexamined) == (expected, ())


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"tox.ini": "[testenv]\ncommands = pytest shop\n"},
        {"tox.ini": "[testenv:docs]\ncommands = pytest --doctest-modules shop\n"},
        {"tox.ini": "[testenv]\ncommands = python -m doctest shop/core.py\n"},
        {"tox.ini": GLOM, "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"},
        {"tox.ini": f"{GLOM}\n[pytest]\naddopts = --doctest-modules\n"},
        {"tox.ini": GLOM, "pyproject.toml": '[tool.pytest.ini_options]\naddopts = ["-ra", "--doctest-modules"]\n'},
        {"tox.ini": "[testenv]\ncommands = pytest --doctest-glob *.rst\n[pytest]\naddopts = --doctest-glob=*.rst\n"},
        {"tox.ini": "no ini doctest"},
        {"noxfile.py": "def tests(: doctest"},
        {".github/workflows/a.yml": "{doctest"},
        {"Makefile": "test:\n\techo 'pytest --doctest-modules shop'\n"},
    ],
)
def test_nothing_is_added(tmp_path: Path, files: dict[str, str]) -> None:
    assert find(tmp_path, files) == Doctests()


def test_without_a_path_the_options_alone_are_added(tmp_path: Path) -> None:
    command = "pytest --doctest-modules --doctest-glob '*.rst' --doctest-continue-on-failure -k x -m 'not slow'"
    found = find(tmp_path, {"tox.ini": f"[testenv]\ncommands = {command}\n"})
    assert found.options == (
        "--doctest-continue-on-failure",
        "--doctest-modules",
        "--doctest-glob=test*.txt",
        "--doctest-glob=*.rst",
    )
    assert (found.where, found.unexamined, found.then) == ((), (), "")


def test_a_text_that_a_call_names_is_one_of_doctests(tmp_path: Path) -> None:
    found = find(tmp_path, {"Makefile": "test:\n\tpytest --doctest-modules shop README.rst --ignore=shop/core.py\n"})
    assert scopes(found) == [
        {"modules": True, "globs": ["README.rst"], "roots": ["README.rst", "shop"], "ignored": ["shop/core.py"]}
    ]
    assert "--doctest-glob=README.rst" in found.options


def test_import_errors_are_ignored_only_where_each_call_does(tmp_path: Path) -> None:
    lenient = "[testenv]\ncommands = pytest --doctest-modules --doctest-ignore-import-errors shop\n"
    assert "--doctest-ignore-import-errors" in find(tmp_path, {"tox.ini": lenient}).options
    both = {"tox.ini": lenient, "Makefile": "test:\n\tpytest --doctest-modules src\n"}
    found = find(tmp_path, both)
    assert "--doctest-ignore-import-errors" not in found.options
    assert roots(found) == ["shop", "src"]


def test_where_settings_say_where_tests_are_the_paths_are_added(tmp_path: Path) -> None:
    settings = "[pytest]\ntestpaths = tests docs/*\n"
    found = find(tmp_path, {"tox.ini": GLOM, "pytest.ini": settings})
    assert found.where == ("-o", "testpaths=tests 'docs/*' shop")
    assert find(tmp_path, {"tox.ini": GLOM, "pytest.ini": "[pytest]\ntestpaths = ./\n"}).where == ()


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("pytest --doctest-modules {envsitepackagesdir}/other", "{envsitepackagesdir}/other"),
        ("pytest --doctest-modules $PACKAGE", "$PACKAGE"),
        ("pytest --doctest-modules /opt/shop", "/opt/shop"),
        ("pytest --doctest-modules ../shop", "../shop"),
        ("pytest --doctest-modules gone", "gone"),
    ],
)
def test_a_path_that_is_not_known_is_not_guessed(tmp_path: Path, command: str, word: str) -> None:
    found = find(tmp_path, {"tox.ini": f"[testenv]\ncommands = {command}\n"})
    (item,) = found.unexamined
    assert (item.what, item.path, found.options) == ("doctests", "tox.ini", ())
    assert item.why == f"pytest is called with a path that isn't known here: {word}"


def test_a_folder_that_is_not_known_is_not_guessed(tmp_path: Path) -> None:
    found = find(tmp_path, {"tox.ini": "[testenv]\nchangedir = {envtmpdir}\ncommands = pytest --doctest-modules\n"})
    assert [item.path for item in found.unexamined] == ["tox.ini"]
    assert found.options == ()


def test_what_another_call_runs_anyway_is_not_unknown(tmp_path: Path) -> None:
    files = {
        "tox.ini": "[testenv]\ncommands = pytest --doctest-modules\n",
        "Makefile": "t:\n\tpytest --doctest-modules $$X\n",
    }
    assert find(tmp_path, files).unexamined == ()


def test_the_configuration_can_exclude_them(tmp_path: Path) -> None:
    found = find(tmp_path, {"tox.ini": GLOM}, excluded="tox.ini")
    assert (found.options, [item.what for item in found.unexamined]) == ((), ["doctests"])


def test_a_plug_in_that_is_missing_is_said(tmp_path: Path) -> None:
    files = {"tox.ini": "[testenv]\ncommands = pytest --doctest-plus --doctest-rst\n"}
    assert "pytest-doctestplus is not installed" in find(tmp_path, files, plus=False).unexamined[0].why
    assert find(tmp_path, files).options == ("--doctest-plus", "--doctest-rst")


def test_a_project_in_a_folder_has_its_own_files(tmp_path: Path) -> None:
    files = {
        "app/tox.ini": GLOM,
        "app/shop/core.py": "",
        ".gitlab-ci.yml": "t: {script: [pytest --doctest-modules x]}\n",
    }
    assert roots(find(tmp_path, files, project="app")) == ["shop"]
