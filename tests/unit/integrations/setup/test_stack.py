"""What is found in real folders, and what `gate init` makes of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample_repository import SampleRepository

from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.domain.rules import is_active
from verigate.domain.task_folder import GITIGNORE
from verigate.errors import ExecutionError
from verigate.integrations.setup import repository_scan as scanning
from verigate.integrations.setup.init_files import plan_init_files, write_files
from verigate.integrations.setup.stack import Stack, detect_stack

ROOT = Path(__file__).parents[4]


def write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


@pytest.mark.parametrize(
    ("files", "languages", "tests", "linters"),
    [
        ({}, (), (), ()),
        ({"README.md": "# x"}, (), (), ()),
        ({"a.py": "", "test_a.py": "import unittest"}, ("python",), ("unittest",), ()),
        ({"a.py": "", "test_a.py": "def test_a(): pass"}, ("python",), ("pytest",), ()),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n", "tests/test_a.py": ""},
         ("python",), ("pytest",), ("ruff",)),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n", "a.py": ""}, ("python",), (), ()),
        ({"requirements-dev.txt": "pytest>=8\nruff==0.9\n", "a_test.py": ""}, ("python",), ("pytest",), ("ruff",)),
        ({"requirements.txt": "pytest-mock\nruff-lsp\n", "test_a.py": "import unittest"},
         ("python",), ("unittest",), ()),
        ({"setup.cfg": "[tool:pytest]\n", "test_a.py": ""}, ("python",), ("pytest",), ()),
        ({"package.json": '{"devDependencies": {"jest": "1", "eslint": "9"}}'},
         ("javascript",), ("jest",), ("eslint",)),
        ({"package.json": '{"scripts": {"test": "node --test"}}', "eslint.config.mjs": ""},
         ("javascript",), ("node",), ("eslint",)),
        ({"p/package.json": '{"devDependencies": {"vitest": "3"}}', "tsconfig.json": "{/* x */}", "a.ts": ""},
         ("javascript", "typescript"), ("vitest",), ()),
        ({"Cargo.toml": "", "src/lib.rs": "#[test]\nfn a() {}"}, ("rust",), ("cargo",), ("clippy",)),
        ({"Cargo.toml": "", "src/lib.rs": "fn a() {}"}, ("rust",), (), ("clippy",)),
        ({"go.mod": "", "a_test.go": ""}, ("go",), ("go",), ("go vet",)),
        ({"pom.xml": "<junit/>", "one/src/test/java/ATest.java": ""}, ("java",), ("maven",), ()),
        ({"j/build.gradle.kts": "", "j/src/test/kotlin/ATest.kt": ""}, ("java",), ("gradle",), ()),
        ({"pom.xml": "", "src/main/java/A.java": "", "other/src/test/b.py": ""}, ("java", "python"), (), ()),
        ({"package.json": '{"scripts": {"test": "c8 ava"}, "devDependencies": {"mocha": "1"}}'},
         ("javascript",), ("ava",), ()),
        ({"package.json": '{"scripts": {"test": "jasmine"}}'}, ("javascript",), (), ()),
    ],
)  # fmt: skip
def test_stacks(
    tmp_path: Path, files: dict[str, str], languages: tuple[str, ...], tests: tuple[str, ...], linters: tuple[str, ...]
) -> None:
    stack = detect_stack(write(tmp_path, files))
    assert (stack.languages, stack.test_tools, stack.linters) == (languages, tests, linters)


def test_dependency_folders_and_links_are_not_the_project(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"test_x.py": "", "Cargo.toml": ""})
    root = write(tmp_path / "root", {"node_modules/a/package.json": '{"devDependencies": {"jest": "1"}}',
                                     ".venv/lib/test_x.py": "", "target/a.rs": ""})  # fmt: skip
    (root / "linked").symlink_to(outside)
    (root / "go.mod").symlink_to("/etc/passwd")
    assert detect_stack(root) == Stack()


def test_hostile_files_neither_crash_nor_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    (tmp_path / "package.json").write_text("[" * 1_000_000)
    (tmp_path / os.fsdecode(b"-rf\xff\n.py")).write_bytes(b"\xff\xfe")
    (tmp_path / "setup.cfg").write_text("no section\n= x")
    stack = detect_stack(tmp_path)
    assert "python" in stack.languages
    assert any("\\xff" in finding.path for finding in stack.findings)
    for planned in plan_init_files(tmp_path, stack):
        planned.content.encode("utf-8")


def test_tests_are_found_as_deep_as_packages_of_a_module_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "modules/core/src/test/java/org/example/geometry/algorithm/AngleTest.java"
    write(tmp_path, {"pom.xml": "<project/>", deep: "class AngleTest {}\n"})
    assert detect_stack(tmp_path).test_tools == ("maven",)
    monkeypatch.setattr(scanning, "MAX_DEPTH", 8)
    cut = detect_stack(tmp_path)
    assert not cut.test_tools
    assert cut.notes == ("modules/core/src/test/java/org/example/geometry/algorithm is too deep to be scanned",)


def test_a_huge_repository_is_cut_off_and_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_ENTRIES", 10)
    for number in range(30):
        (tmp_path / f"{number:02}.py").write_text("")
    (tmp_path / "sub").mkdir()
    assert "only the first" in detect_stack(tmp_path).notes[0]


@pytest.mark.parametrize(
    ("files", "active", "inactive"),
    [
        ({"README.md": ""}, {"integrity", "units_match"}, {"tests_pass", "tests_min", "lint_errors_max"}),
        ({"test_a.py": ""}, {"tests_pass", "tests_min", "integrity"}, {"lint_errors_max", "build_success"}),
        ({"ruff.toml": "", "test_a.py": ""}, {"tests_pass", "lint_errors_max"}, {"build_success"}),
        ({"Cargo.toml": "", "src/lib.rs": "#[tokio::test]"}, {"tests_pass", "lint_errors_max"}, {"build_success"}),
        ({"Cargo.toml": "", "src/lib.rs": ""}, {"build_success", "lint_errors_max"}, {"tests_pass", "files_min"}),
        ({"README.md": "", "a.py": ""}, {"files_min", "images_found"}, {"tests_pass", "build_success"}),
    ],
)
def test_the_files_are_valid_and_ask_what_can_be_answered(
    tmp_path: Path, files: dict[str, str], active: set[str], inactive: set[str]
) -> None:
    root = write(tmp_path, files)
    assert write_files(root, plan_init_files(root, detect_stack(root))) == (
        "config/adapter-plan.json",
        "config/verification.profiles.json",
        ".artifacts/.gitignore",
    )
    configuration = load_configuration(root, find_builtin_root())
    rules = configuration.profiles.resolve("code_default").rules
    on = {key for key, threshold in rules.items() if is_active(key, threshold)}
    assert active <= on
    assert not inactive & on
    entry = configuration.plan["code"]
    assert entry.order[:3] == ("code:diff", "code:functions", "code:integrity")
    assert ("code:tests" in entry.required) == ("tests_pass" in active)
    assert set(entry.order) == entry.required | entry.optional
    assert "link_check" in configuration.plan


def test_without_a_reader_no_disclosure_is_taken(tmp_path: Path) -> None:
    root = write(tmp_path, {"test_a.py": ""})
    stack = detect_stack(root)
    for is_read, taken in ((True, "disclose"), (False, "refuse")):
        # The second call finds the file of the first, and makes it stricter.
        write_files(root, plan_init_files(root, stack, is_read=is_read))
        rules = load_configuration(root, find_builtin_root()).profiles.resolve("code_default").rules
        assert rules["weakening"] == taken
    before = (root / "config/verification.profiles.json").read_text()
    for is_read in (True, False):
        assert write_files(root, plan_init_files(root, stack, is_read=is_read)) == ()
    assert (root / "config/verification.profiles.json").read_text() == before


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    root = write(tmp_path, {"config/adapter-plan.json": "mine", "test_a.py": ""})
    (root / "config/verification.profiles.json").symlink_to("nowhere")
    files = plan_init_files(root, detect_stack(root))
    assert {planned.path: planned.exists for planned in files} == {
        "config/adapter-plan.json": True,
        "config/verification.profiles.json": True,
        ".artifacts/.gitignore": False,
    }
    assert write_files(root, files) == (".artifacts/.gitignore",)
    assert write_files(root, files) == ()
    assert (root / "config/adapter-plan.json").read_text() == "mine"
    assert not (root / "config/nowhere").exists()


def test_a_linked_folder_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / "config").symlink_to(outside)
    with pytest.raises(ExecutionError, match="symbolic link"):
        write_files(root, plan_init_files(root, detect_stack(root)))
    assert list(outside.iterdir()) == []


def test_the_ignore_file_is_the_one_of_this_repository() -> None:
    assert (ROOT / ".artifacts/.gitignore").read_text() == GITIGNORE


def test_this_repository_knows_itself() -> None:
    stack = detect_stack(ROOT)
    assert "python" in stack.languages
    assert {"pytest"} <= set(stack.test_tools)
    assert "ruff" in stack.linters
    assert "coverage" in stack.names("coverage")


def test_tests_of_go_without_a_module_are_no_null(tmp_path: Path) -> None:
    stack = detect_stack(write(tmp_path, {"a.go": "package a\n", "a_test.go": "package a\n"}))
    assert (stack.names("unread tests"), stack.names("tests")) == (("go without a go.mod",), ())
    assert not {"tests_pass", "tests_min"} & set(stack.rules)


def test_tests_without_a_runner_are_no_null(tmp_path: Path) -> None:
    files = {"src/a/Shop.java": "class Shop {}\n", "test/a/Sells.java": "import org.junit.Test;\n"}
    stack = detect_stack(write(tmp_path, files))
    assert (stack.names("unread tests"), stack.names("tests")) == (("java tests",), ())
    assert not {"tests_pass", "tests_min"} & set(stack.rules)


def test_sources_of_tests_are_looked_for_only_without_any_runner(tmp_path: Path) -> None:
    files = {"test_shop.py": "def test_a(): ...\n", "test/a/Sells.java": "import org.junit.Test;\n"}
    stack = detect_stack(write(tmp_path, files))
    assert (stack.names("unread tests"), stack.names("tests")) == ((), ("pytest",))


def test_what_git_ignores_is_not_scanned(tmp_path: Path) -> None:
    sample = SampleRepository.create(tmp_path / "repository")
    files = {".gitignore": "htmlcov/\n", "a.py": "A = 1\n", "htmlcov/a.js": "", "made/.gitignore": "*.js\n"}
    root = write(sample.path, {**files, "made/b.js": ""})
    assert detect_stack(root).languages == ("python",)
    sample.git("add", "-f", "made/b.js")
    assert detect_stack(root).languages == ("javascript", "python")


def test_a_linter_that_a_script_calls_and_nothing_reads_is_named(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"scripts": {"check": "standardx \'**/*.ts\'", "pretslint": "true"}}')
    assert detect_stack(tmp_path).names("unread lint") == ("standardx",)


def test_a_runner_that_is_not_known_is_no_null(tmp_path: Path) -> None:
    root = write(tmp_path, {"package.json": '{"scripts": {"test": "jasmine"}}', ".golangci.yml": ""})
    stack = detect_stack(root)
    assert (stack.names("unread tests"), stack.names("unread lint")) == (("jasmine",), ("golangci-lint",))
    assert not {"tests_pass", "tests_min", "lint_errors_max"} & set(stack.rules)
    left_out = (
        '{"code": {"excluded": [{"what": "jasmine", "why": "no browser"}, {"what": "golangci-lint", "why": "x"}]}}'
    )
    assert detect_stack(root, left_out).gaps == ("tests", "lint")
    declared = detect_stack(root, '{"code": {"tests": [{"command": ["jasmine"], "format": "exit-code"}]}}')
    assert (declared.names("tests"), declared.names("unread tests")) == (("jasmine",), ())


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"test_a.py": ""}, "No configured linter was found, so null switches lint_errors_max off"),
        ({"ruff.toml": "", "a.py": ""}, "No test was found, so null switches tests_pass and tests_min off"),
    ],
)
def test_the_profile_says_what_null_switches_off_and_until_when(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    root = write(tmp_path, files)
    write_files(root, plan_init_files(root, detect_stack(root)))
    description = load_configuration(root, find_builtin_root()).profiles.resolve("code_default").description
    assert f"{said}: run gate init again when you add one." in description
