"""What is read from package.json and Python projects without running anything, and how messages are normalised."""

from __future__ import annotations

from pathlib import Path

import pytest

from code_adapter.diff import LineCount, parse_numstat
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_projects import find_node_projects
from code_adapter.testing.python_projects import find_python_projects, read_pytest_options
from verigate.sdk import AdapterError
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import OpaqueCommand, RunnerCall, read_script


def test_numstat_entries() -> None:
    assert list(parse_numstat([b"1\t2\t", b"a", b"b\xff", b"-\t-\tbin\tary\n"])) == [
        LineCount("b\\xff", 1, 2),
        LineCount("bin\tary\n", binary=True),
    ]
    assert list(parse_numstat([])) == []
    with pytest.raises(AdapterError, match="in the middle"):
        list(parse_numstat([b"1\t2\t", b"a"]))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("node --test", [RunnerCall("node", ("--test",))]),
        ("node --import tsx --test 'a b.ts'", [RunnerCall("node", ("--import", "tsx", "--test", "a b.ts"))]),
        ("NODE_ENV=test jest --runInBand", [RunnerCall("jest", ("--runInBand",), {"NODE_ENV": "test"})]),
        ("c8 --check-coverage node --test", [RunnerCall("node", ("--test",))]),
        ("npx vitest run && ./node_modules/.bin/jest", [RunnerCall("vitest", ("run",)), RunnerCall("jest")]),
        ("npm run lint && npm run unit", [RunnerCall("jest", ("--ci",))]),
        ("yarn run loop", []),
        ("node build.js", []),
        ("echo jest", []),
        ("jest || true", []),
        ("jest; exit 0", [RunnerCall("jest")]),
        ("jest $(rm -rf /)", []),
        ("jest 'a|b'", [RunnerCall("jest", ("a|b",))]),
        ("jest 'unclosed", []),
        ("", []),
    ],
)
def test_runner_calls(script: str, expected: list[RunnerCall]) -> None:
    scripts = {"test": script, "unit": "jest --ci", "lint": "eslint .", "loop": "yarn run loop"}
    steps = read_script({"scripts": scripts})
    assert [step for step in steps if isinstance(step, RunnerCall)] == expected


@pytest.mark.parametrize(
    ("pattern", "runners"),
    [
        ("/^test:.*/", ["vitest", "mocha"]),
        ("/spec$/", ["vitest"]),
        ("/test:.*old/", ["mocha"]),
        ("/none/", []),
        ("/^(test:.*)+$/", []),
    ],
)
def test_a_pattern_of_pnpm_names_scripts(pattern: str, runners: list[str]) -> None:
    scripts = {"test": f'pnpm run "{pattern}"', "test:spec": "vitest run", "test:old": "mocha", "fix": "jest"}
    steps = [*read_script({"scripts": scripts})]
    assert [step.runner for step in steps if isinstance(step, RunnerCall)] == runners
    assert any(isinstance(step, OpaqueCommand) for step in steps) is not bool(runners)


def files(root: Path, **content: str) -> SubjectFiles:
    paths = {name.replace("__", "/").replace("_dot_", "."): text for name, text in content.items()}
    for path, text in paths.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return SubjectFiles(root, tuple(sorted(paths)))


UNIT = "import unittest\nclass A(unittest.TestCase): pass\n"


def test_which_python_runner(tmp_path: Path) -> None:
    def runners(name: str, **content: str) -> list[tuple[str, str]]:
        return [(p.folder, p.runner) for p in find_python_projects(files(tmp_path / name, **content))]

    assert runners("a", test_a_dot_py=UNIT) == [("", "unittest")]
    assert runners("b", test_a_dot_py="def test_a(): pass\n") == [("", "pytest")]
    assert runners("c", test_a_dot_py=UNIT, conftest_dot_py="") == [("", "pytest")]
    assert runners("d", test_a_dot_py=UNIT, setup_dot_cfg="[tool:pytest]\n") == [("", "pytest")]
    assert runners("e", pyproject_dot_toml="[tool.pytest.ini_options]\n") == [("", "pytest")]
    assert runners("f", a_dot_py="x = 1\n", pyproject_dot_toml="") == []
    assert runners("g", a__setup_dot_py="", a__test_x_dot_py=UNIT, b__test_y_dot_py=UNIT) == [("", "unittest")]
    assert runners("h", a__setup_dot_py="", a__test_x_dot_py=UNIT) == [("a", "unittest")]
    assert runners("i", latest_dot_py="def test_a(): pass\n") == []


def test_pytests_options(tmp_path: Path) -> None:
    assert read_pytest_options(files(tmp_path / "a", a_dot_py=""), "") is None
    assert read_pytest_options(files(tmp_path / "b", pytest_dot_ini="[pytest]\naddopts = -q --cov\n"), "") == "-q --cov"
    toml = "[tool.pytest.ini_options]\naddopts = ['-q', '--cov']\n"
    assert read_pytest_options(files(tmp_path / "c", pyproject_dot_toml=toml), "") == "-q --cov"
    with pytest.raises(AdapterError, match=r"pyproject\.toml: is not TOML"):
        raise_with_place(files(tmp_path / "d", pyproject_dot_toml="[tool\n"))


def raise_with_place(subject: SubjectFiles) -> None:
    try:
        read_pytest_options(subject, "")
    except AdapterError as error:
        raise AdapterError(str(error.faults[0])) from error


def test_projects_are_the_topmost_folders(tmp_path: Path) -> None:
    found = files(tmp_path, a__go_dot_mod="", a__b__go_dot_mod="", ab__go_dot_mod="", x__fixtures__y__go_dot_mod="")
    assert found.projects("go.mod") == ("a", "ab")


def test_links_and_large_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate(5 << 20)
    found = SubjectFiles(tmp_path, ("large", "link"))
    assert (found.text("link"), found.text("large"), found.text("absent")) == ("", "", "")


def test_vitest_by_dependency_and_node_by_import(tmp_path: Path) -> None:
    package = '{"devDependencies": {"vitest": "3"}}'
    assert [p.calls for p in find_node_projects(files(tmp_path / "a", package_dot_json=package))] == [
        (RunnerCall("vitest"),)
    ]
    test = files(tmp_path / "b", lib__x_dot_mjs="import { test } from 'node:test';\n", y_dot_js="x")
    assert [p.calls for p in find_node_projects(test)] == [(RunnerCall("node", ("--test", "./lib/x.mjs")),)]


def test_messages_are_the_same_everywhere() -> None:
    texts = Texts(Path("/work/checkout-1234"), (Path("/private/xyz"),))
    said = "\x1b[31mE\x1b[0m /work/checkout-1234/a.py:3 <A at 0x7f00aa11> took 0.13s (12 ms) /tmp/pytest-of-me/x/y.txt"
    assert texts.message(said) == "E a.py:3 <A at 0x…> took <duration> (<duration>) <temporary>"
    assert texts.message("in /work/checkout-1234 and /private/xyz/report") == "in . and <private>/report"
    assert texts.message("2024-05-01T10:00:00.123Z pid 4711 thread 'a' (99) x1s 5seconds") == (
        "<time> pid <n> thread 'a' x1s <duration>"
    )
    assert len(texts.message("x" * 100_000)) == 2000
    assert texts.message("a\ud800\0b\r\n  \n") == "a\\ud800b"


def test_paths_are_relative_or_nothing() -> None:
    texts = Texts(Path("/work/c"))
    assert texts.path("/work/c/a.py") == "a.py"
    assert texts.path("b.py", "sub") == "sub/b.py"
    assert texts.path("../a.py", "sub") == "a.py"
    assert texts.path("../../etc/passwd", "sub") is None
    assert texts.path("/work/cc/a.py") is None
    assert texts.path(None) is None


def test_a_program_is_told_by_its_name_and_the_subjects_own_by_its_path() -> None:
    texts = Texts(Path("/work/c"), (Path("/private/xyz"),))
    assert texts.argv(["/dev/shm/run/bin.d/ruff", "check", "/work/c/a.py"]) == ["ruff", "check", "a.py"]  # noqa: S108
    assert texts.argv(["/work/c/.venv/bin/ruff", "."]) == [".venv/bin/ruff", "."]
    assert texts.argv(["/private/xyz/run", "/tmp/x"]) == ["<private>/run", "<temporary>"]  # noqa: S108
    assert (texts.argv(["ruff"]), texts.argv([])) == (["ruff"], [])
