"""Test modules whose pass is reused: only what passed whole, with the same files, and within a day."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import forked_programs
import input_digests
import pytest
import reused_passes
from observed_reads import ObservedReads

pytestmark = pytest.mark.slow

SUPPORT = Path(reused_passes.__file__).parent
CONFTEST = f"""\
import sys
sys.path.insert(0, {str(SUPPORT)!r})
import reused_passes
pytest_addoption = reused_passes.add_option
pytest_configure = reused_passes.register
"""
PASSES = "def test_one():\n    pass\n\ndef test_two():\n    pass\n"


@dataclass(frozen=True)
class Project:
    """A repository with ``tests/test_a.py`` and ``tests/test_b.py``."""

    root: Path

    def write(self, files: Mapping[str, str]) -> None:
        for name, content in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(content)

    def run(self, *arguments: str, **environ: str) -> tuple[int, str]:
        """The exit code, and what pytest prints."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environ}
        argv = (sys.executable, "-m", "pytest", "-q", "-p", "xdist", *arguments)
        done = subprocess.run(argv, cwd=self.root, env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def count(self, *arguments: str, **environ: str) -> int:
        """How many tests a green run with reuse runs."""
        code, printed = self.run("--passes=reuse", *arguments, **environ)
        assert code == 0, printed
        found = re.search(r"(\d+) passed", printed)
        return int(found[1]) if found else 0

    def record(self) -> dict[str, dict[str, object]]:
        content: dict[str, dict[str, object]] = json.loads(self.record_file.read_text())
        return content

    @property
    def record_file(self) -> Path:
        return self.root / ".pytest_cache/v/verigate/passes"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project")
    made.write(
        {
            "pytest.ini": "[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib\n",
            ".gitignore": ".pytest_cache/\n__pycache__/\n",
            "src/code.py": "A = 1\n",
            "README.md": "a page\n",
            "tests/conftest.py": CONFTEST,
            "tests/test_a.py": PASSES,
            "tests/test_b.py": "def test_three():\n    pass\n",
        }
    )
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run(("git", *arguments), cwd=made.root, check=True)
    return made


@pytest.mark.parametrize(
    "workers", [pytest.param((), id="one process"), pytest.param(("-n", "2"), id="workers", marks=pytest.mark.release)]
)
def test_what_passed_is_not_run_again_and_the_run_reports_it(project: Project, workers: tuple[str, ...]) -> None:
    assert project.count(*workers) == 3
    code, printed = project.run("--passes=reuse", *workers)
    assert code == 0, printed
    assert "passed" not in printed.replace("they passed", "")
    assert "not run again: 3 tests in 2 modules" in printed
    assert "bin/test --all runs them" in printed


@pytest.mark.release
def test_without_the_option_and_with_record_everything_runs(project: Project) -> None:
    assert project.count() == 3
    for arguments in ((), ("--passes=record",)):
        code, printed = project.run(*arguments)
        assert (code, "3 passed" in printed, "not run again" in printed) == (0, True, False), printed


@pytest.mark.release
def test_what_is_named_runs(project: Project) -> None:
    assert project.count() == 3
    assert project.count("tests/test_a.py") == 2
    assert project.count("tests") == 3


@pytest.mark.release
def test_a_file_that_differs_runs_everything(project: Project) -> None:
    code = project.root / "src/code.py"
    differences: dict[str, Callable[[], object]] = {
        "changed": lambda: project.write({"src/code.py": "A = 2\n"}),
        "new": lambda: project.write({"src/new.py": "A = 1\n"}),
        "support": lambda: project.write({"tests/support/shared.py": "A = 1\n"}),
        "material": lambda: project.write({"tests/support/test_material.py": "A = 1\n"}),
        "mode": lambda: code.chmod(0o755),
        "not tracked": lambda: subprocess.run(
            ("git", "rm", "-qf", "--cached", "src/code.py"), cwd=project.root, check=True
        ),
        "gone": code.unlink,
    }
    assert project.count() == 3
    assert project.count() == 0
    for name, differ in differences.items():
        differ()
        assert (name, project.count()) == (name, 3)
    assert project.count() == 0


READS_PAGE = """\
from functools import cache
@cache
def page():
    with open("README.md") as file:
        return file.read()
"""
"""A file of the support, whose content only the first module reads that needs it."""


@pytest.mark.parametrize(
    "workers", [pytest.param((), id="one process"), pytest.param(("-n", "2"), id="workers", marks=pytest.mark.release)]
)
def test_pages_and_modules_run_those_that_read_them(project: Project, workers: tuple[str, ...]) -> None:
    path = "import sys\nsys.path.insert(0, 'tests/support')\n"
    project.write(
        {
            "tests/support/manual.py": READS_PAGE,
            "tests/support/between.py": f"{path}from manual import page\n",
            "tests/test_c.py": f"{path}import manual\ndef test_c():\n    assert manual.page()\n",
            "tests/test_d.py": f"{path}from between import page\ndef test_d():\n    assert page()\n",
            "tests/test_e.py": "import os\nNAMES = os.listdir('tests')\ndef test_e():\n    assert NAMES\n",
            "tests/test_f.py": "import subprocess\ndef test_f():\n    subprocess.run(['true'])\n",
            "tests/test_g.py": "import subprocess\ndef test_g():\n    subprocess.run(['true'], cwd='src')\n",
            "tests/test_h.py": "import subprocess, os\ndef test_h():\n"
            "    subprocess.run(['true', f'--in={os.getcwd()}/tests'], cwd='/')\n",
        }
    )
    assert project.count(*workers) == 9
    groups = {name: entry["groups"] for name, entry in project.record().items()}
    assert groups == {
        "tests/test_a.py": [],
        "tests/test_b.py": [],
        "tests/test_c.py": ["pages"],
        "tests/test_d.py": ["pages"],
        "tests/test_e.py": ["tests"],
        "tests/test_f.py": ["pages", "tests"],
        "tests/test_g.py": [],
        "tests/test_h.py": ["tests"],
    }
    project.write({"README.md": "another page\n"})
    assert project.count(*workers) == 3
    project.write({"tests/test_b.py": "def test_three():\n    pass\n\n\ndef test_four():\n    pass\n"})
    assert project.count(*workers) == 5


def test_a_call_of_the_gate_counts_as_a_program(tmp_path: Path) -> None:
    observed = ObservedReads(tmp_path, ["README.md"])
    observed.running = "tests/test_a.py"
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    forked_programs.gate(["--version"], cwd=tmp_path.parent, env=environ)
    assert observed.found == {}
    forked_programs.gate(["--version"], cwd=tmp_path, env=environ)
    assert observed.found == {"tests/test_a.py": {"pages"}}


@pytest.mark.release
def test_another_machine_runs_everything(project: Project, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    path = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    assert project.count(**path) == 3
    assert project.count(**path) == 0
    (programs / "tool").write_text("#!/bin/sh\n")
    assert project.count(**path) == 3
    assert project.count(**path, LANGUAGE="xx") == 3
    assert project.count(**path, LANGUAGE="xx", OLDPWD="/") == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("def test_it():\n    assert False\n", 1),
        ("import pytest\ndef test_it():\n    pytest.skip()\n", 0),
        ("import pytest\ndef test_it():\n    pytest.xfail()\n", 0),
        ("import pytest\n@pytest.mark.xfail\ndef test_it():\n    pass\n", 0),
        ("def setup_function():\n    assert False\n\ndef test_it():\n    pass\n", 1),
        ("def teardown_function():\n    assert False\n\ndef test_it():\n    pass\n", 1),
        ("import nothing_of_this_name\n", 1),
    ],
    ids=["fails", "skipped", "expected to fail", "passes unexpectedly", "setup", "teardown", "import"],
)
def test_a_module_in_which_not_all_passes_runs_again(project: Project, body: str, code: int) -> None:
    project.write({"tests/test_a.py": f"{body}\n{PASSES}"})
    first = project.run("--passes=reuse", "--continue-on-collection-errors")
    again = project.run("--passes=reuse", "--continue-on-collection-errors")
    assert (first[0], again[0]) == (code, code), first[1] + again[1]
    assert "not run again: 1 tests in 1 modules" in again[1]
    assert list(project.record()) == ["tests/test_b.py"]


@pytest.mark.release
def test_part_of_a_module_is_not_a_pass(project: Project) -> None:
    assert project.run("--passes=record", "-k", "test_two or test_three")[0] == 0
    assert list(project.record()) == ["tests/test_b.py"]
    project.write({"tests/test_a.py": f"{PASSES}\ndef test_stop():\n    raise KeyboardInterrupt\n"})
    for _ in range(2):
        assert project.run("--passes=reuse")[0] == pytest.ExitCode.INTERRUPTED


def test_a_failure_takes_back_an_earlier_pass(project: Project, tmp_path: Path) -> None:
    switch = tmp_path / "switch"
    project.write({"tests/test_a.py": f"import os\ndef test_it():\n    assert not os.path.exists({str(switch)!r})\n"})
    assert project.count() == 2
    switch.touch()
    assert project.count() == 0  # what nobody names is no input
    assert project.run("--passes=record")[0] == 1
    assert project.run("--passes=reuse")[0] == 1


def test_a_file_that_changes_during_the_run_records_nothing(project: Project) -> None:
    project.write({"tests/test_a.py": "def test_it():\n    open('src/code.py', 'a').write('B = 1\\n')\n"})
    assert project.run("--passes=record")[0] == 0
    assert project.record() == {}


@pytest.mark.release
@pytest.mark.parametrize("at", ["2001-01-01T00:00:00+00:00", "9999-01-01T00:00:00+00:00"], ids=["old", "ahead"])
def test_a_pass_holds_for_a_day(project: Project, at: str) -> None:
    assert project.count() == 3
    record = project.record()
    record["tests/test_a.py"]["at"] = at
    project.record_file.write_text(json.dumps(record))
    assert project.count() == 2


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("README.md", "pages"),
        ("docs/a/b.md", "pages"),
        ("docs/a.svg", None),
        ("src/verigate/page.md", None),
        ("tests/unit/gate/test_a.py", "tests"),
        ("tests/test_a.py", "tests"),
        ("tests/unit/gate/cases.py", None),
        ("tests/support/test_a.py", None),
        ("tests/corpus/lies/a/test_a.py", None),
        ("tests/corpus/lies/a/README.md", None),
        ("adapters/code/tests/test_a.py", "tests"),
        ("adapters/code/src/code_adapter/test_a.py", None),
    ],
)
def test_groups_of_files(name: str, group: str | None) -> None:
    assert input_digests.group_of(name) == group


def test_an_unknown_module_has_no_key() -> None:
    inputs = input_digests.Inputs("m", "s", {"pages": "p", "tests": "t"}, {"tests/test_a.py": "a"})
    assert inputs.key("tests/test_b.py", ()) is None
    keys = {inputs.key("tests/test_a.py", groups) for groups in ((), ("pages",), ("tests",), ("tests", "pages"))}
    assert len(keys) == 4
