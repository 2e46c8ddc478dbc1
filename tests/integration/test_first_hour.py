"""`gate init` in repositories of strangers: what it asks, installs, declares and judges."""

from __future__ import annotations

import json
import shutil
import subprocess
import venv
from pathlib import Path

import gated_repository as gr
import pytest
from project_programs import add_environment
from sample_repository import SampleRepository

PYTHON = {"shop.py": "def price() -> int:\n    return 3\n", "pyproject.toml": '[tool.ruff.lint]\nselect = ["F"]\n'}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    made = gr.GatedRepository(SampleRepository.create(tmp_path / "repository"), tmp_path / "home")
    made.tmp.mkdir(parents=True)
    return made


def commit(repository: gr.GatedRepository, files: dict[str, str], message: str = "files") -> None:
    for path, content in files.items():
        repository.put(path, content)
    repository.sample.commit(message)


def test_an_unknown_runner_is_declared_and_taken_up_when_init_runs_again(repository: gr.GatedRepository) -> None:
    commit(repository, {"check.sh": "grep -q 3 shop.txt\n", "shop.txt": "3\n", "a.py": "A = 1\n"})
    first = repository.gate("init", "--no-verdict")
    assert first.code == 0, first.output
    profile = json.loads((repository.root / "config/verification.profiles.json").read_bytes())["code_default"]
    assert profile["tests_pass"] is None
    again = repository.gate("init", "--tests", "sh check.sh", "--json")
    assert again.code == 0, again.output
    changes = {item["path"]: item["changes"] for item in again.json["files"]}
    assert changes["config/adapter-plan.json"] == ["plans code:tests"]
    assert len(changes["config/verification.profiles.json"]) == 2
    profile = json.loads((repository.root / "config/verification.profiles.json").read_bytes())["code_default"]
    assert "tests_pass" not in profile
    declared = json.loads((repository.root / "config/adapters.json").read_bytes())
    assert declared == {"code": {"tests": [{"command": ["sh", "check.sh"], "format": "exit-code"}]}}
    assert again.json["verdict"]["status"] == "pass", again.output
    tests = repository.published("tests.json", "implicit")
    assert (tests["total"], tests["passed"]) == (1, 1)
    repository.put("shop.txt", "4\n")
    repository.sample.commit("break it")
    broken = repository.gate("init", "--json")
    assert broken.json["verdict"]["status"] == "fail", broken.output
    assert "TEST_FAIL" in json.dumps(broken.json["verdict"]["reasons"])


def test_a_declaration_keeps_what_is_configured(repository: gr.GatedRepository) -> None:
    configured = {"code": {"build": [{"command": ["true"], "format": "exit-code"}]}}
    commit(repository, {"config/adapters.json": json.dumps(configured), "a.py": "A = 1\n"})
    done = repository.gate("init", "--tests", "make 'the check'", "--no-verdict")
    assert done.code == 0, done.output
    assert "changing config/adapters.json: declares `make 'the check'`" in done.out
    declared = json.loads((repository.root / "config/adapters.json").read_bytes())["code"]
    assert declared["build"] == configured["code"]["build"]
    assert declared["tests"] == [{"command": ["make", "the check"], "format": "exit-code"}]
    same = repository.gate("init", "--tests", "make 'the check'", "--no-verdict")
    assert len(json.loads((repository.root / "config/adapters.json").read_bytes())["code"]["tests"]) == 1, same.output
    for line, code in (("", 2), ("make 'x", 2)):
        assert repository.gate("init", "--tests", line).code == code
    repository.put("config/adapters.json", "[]")
    assert repository.gate("init", "--tests", "make").code == 2


def test_the_first_verdict_is_about_the_state_and_not_how_it_came_about(repository: gr.GatedRepository) -> None:
    test = "from shop import price\n\ndef test_price() -> None:\n    assert price() == 3\n    assert price() > 0\n"
    commit(repository, {**PYTHON, "test_shop.py": test, ".pre-commit-config.yaml": "repos: []\n"})
    weaker = test.replace("    assert price() > 0\n", "")
    commit(repository, {"test_shop.py": weaker, ".pre-commit-config.yaml": "repos: [] # fewer\n"}, "weaker")
    done = repository.gate("init", "--json")
    assert done.json["verdict"]["status"] == "pass", done.output
    # What comes next is judged by all of it.
    repository.sample.commit("the gate's files")
    commit(repository, {"test_shop.py": weaker.replace("== 3", "is not None")}, "weaker still")
    next_one = repository.gate("verify", "--ref", "HEAD", "--json")
    assert "INTEGRITY_FAIL" in json.dumps(next_one.json["reasons"]), next_one.output


def test_what_is_missing_is_named_and_installed_when_asked(repository: gr.GatedRepository) -> None:
    package = {"name": "x", "version": "1.0.0", "devDependencies": {"local": "file:local"}}
    commit(
        repository,
        {
            "package.json": json.dumps(package),
            "local/package.json": '{"name": "local", "version": "1.0.0"}',
            ".gitignore": "node_modules\npackage-lock.json\n",
            "a.js": "export const a = 1;\n",
        },
    )
    named = repository.gate("init", "--no-verdict")
    assert "missing node_modules: npm install" in named.out
    assert not (repository.root / "node_modules").exists()
    done = repository.gate("init", "--no-verdict", "--install")
    assert done.code == 0, done.output
    assert (repository.root / "node_modules/local/package.json").is_file()
    assert "missing" not in repository.gate("init", "--no-verdict").out


def test_an_installation_that_fails_says_so_and_ends_nothing(repository: gr.GatedRepository) -> None:
    commit(repository, {"package.json": '{"dependencies": {"x": "file:gone"}}', "package-lock.json": "{}"})
    done = repository.gate("init", "--install")
    assert (done.code, "npm ci" in done.err) == (3, True), done.output
    assert (repository.root / "config/adapter-plan.json").exists()
    assert "HEAD with these files, compared with itself; nothing is committed" in done.out


def test_ruff_that_is_configured_and_nowhere_installed_is_the_gates_own(repository: gr.GatedRepository) -> None:
    commit(repository, {**PYTHON, "test_shop.py": "import os\n\ndef test_a() -> None:\n    pass\n"})
    done = repository.gate("init", "--json", PATH="/usr/bin:/bin")
    lint = repository.published("lint.json", "implicit")
    assert lint["files_checked"] == 2, done.output
    assert [issue["rule"] for issue in lint["issues"]] == ["F401"]


@pytest.mark.release
def test_ruff_of_another_version_than_the_pinned_one_is_no_substitute(repository: gr.GatedRepository) -> None:
    pin = "repos:\n- repo: https://github.com/astral-sh/ruff-pre-commit\n  rev: v0.1.0\n  hooks: [{id: ruff}]\n"
    commit(repository, {**PYTHON, "test_shop.py": "def test_a() -> None:\n    pass\n", ".pre-commit-config.yaml": pin})
    done = repository.gate("init", "--json", PATH="/usr/bin:/bin")
    assert done.json["verdict"]["status"] == "fail", done.output
    assert "ruff 0.1.0, which .pre-commit-config.yaml pins" in json.dumps(done.json["verdict"]["checks"])
    venv.create(repository.root / ".venv", with_pip=True)
    named = repository.gate("init", "--json", "--no-verdict", PATH="/usr/bin:/bin").json["missing"]
    assert [item["command"] for item in named] == [".venv/bin/python -m pip install ruff==0.1.0"]


def test_outside_of_git_nothing_is_written_and_the_error_says_what_to_do(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    place = gr.GatedRepository(SampleRepository(plain), tmp_path / "home")
    place.tmp.mkdir(parents=True)
    for command in (("init",), ("install",), ("start", "T1")):
        done = place.gate(*command)
        assert (done.code, "git" in done.err) == (2, True), done.output
        assert list(plain.iterdir()) == [], command
    verified = place.gate("verify")
    assert (verified.code, "git init and commit" in verified.err) == (2, True), verified.output
    started = place.gate("start", "T1", "--type", "content")
    assert started.code == 0, started.output


def test_a_configuration_that_can_not_be_read_is_what_to_fix_next(repository: gr.GatedRepository) -> None:
    commit(repository, {"README.md": "# Shop\n", "config/verification.profiles.json": "{"})
    done = repository.gate("init")
    assert "no verdict" in done.err
    assert "next: fix that first, then `gate init` again for a verdict" in done.out
    assert "push them" not in done.out


def test_documents_alone_are_scanned(repository: gr.GatedRepository) -> None:
    commit(repository, {"README.md": "# Trees\n\n![a tree](tree.png)\n", "script.py": "print(1)\n"})
    done = repository.gate("init", "--json")
    assert done.json["verdict"]["status"] == "fail", done.output
    assert "IMAGE_MISSING" in json.dumps(done.json["verdict"]["reasons"])
    repository.sample.git("rm", "-q", "-r", "--cached", "--ignore-unmatch", "config")
    commit(repository, {"README.md": "# Trees\n\nOf all kinds.\n"})
    assert repository.gate("init", "--json").json["verdict"]["status"] == "pass"


@pytest.mark.release
def test_a_linter_that_nothing_here_reads_is_excluded_when_asked_for(repository: gr.GatedRepository) -> None:
    files = {"a.py": "A = 1\n", "test_a.py": "def test_a() -> None:\n    pass\n", ".pylintrc": ""}
    commit(repository, files)
    first = repository.gate("init", "--json")
    assert first.json["verdict"]["status"] != "pass", first.output
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    excluded = json.loads((repository.root / "config/adapters.json").read_bytes())["code"]["excluded"]
    assert [(item["what"], "can't read its report" in item["why"]) for item in excluded] == [("pylint", True)]
    (lint,) = [check for check in fixed.json["verdict"]["checks"] if check["id"] == "code.lint_errors_max"]
    assert lint["outcome"] == "not_applicable", fixed.output
    assert "leaves out every linter that the project has: pylint" in lint["message"]


@pytest.mark.release
def test_a_linter_that_finds_something_hides_no_other_that_nothing_reads(repository: gr.GatedRepository) -> None:
    own = {".pylintrc": "", "pyproject.toml": '[tool.ruff]\nlint.select = ["F"]\n'}
    commit(repository, {"a.py": "import os\n", "test_a.py": "def test_a() -> None:\n    pass\n", **own})
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    assert sorted(fixed.json["settled"]) == ["config/adapters.json", "config/verigate-baseline.json"], fixed.output
    (lint,) = [check for check in fixed.json["verdict"]["checks"] if check["id"] == "code.lint_errors_max"]
    assert lint["outcome"] == "holds", fixed.output


FUNCY = {
    ".gitignore": ".venv/\n",
    "tox.ini": "[flake8]\n\n[testenv:lint]\ncommands =\n  flake8 funcy\n  flake8 --select=F,E5 tests\n",
    "funcy/__init__.py": "",
    "tests/test_a.py": "def test_a() -> None:\n    assert 2 +2 == 4\n",
    "setup.py": "x=1\n",
}


@pytest.mark.release
@pytest.mark.parametrize("left", [0, 1])
def test_a_linter_is_called_as_the_project_calls_it_when_asked_for(repository: gr.GatedRepository, left: int) -> None:
    commit(repository, FUNCY | {"funcy/a.py": "x=1\n" * left})
    add_environment(repository, "flake8")
    first = repository.gate("init", "--json")
    assert [item["code"] for item in first.json["verdict"]["reasons"]] == ["LINT_FAIL"], first.output
    fixed = repository.gate("init", "--fix", "--yes")
    assert "calls flake8 as tox.ini, testenv:lint does: flake8 funcy; flake8 --select=F,E5 tests" in fixed.out
    assert "PASS  implicit" in fixed.out, fixed.output
    adapters = json.loads((repository.root / "config/adapters.json").read_bytes())
    assert adapters["code"] == {"linter_calls": {"flake8": [["funcy"], ["--select=F,E5", "tests"]]}}
    baseline = repository.root / "config/verigate-baseline.json"
    entries = json.loads(baseline.read_bytes())["entries"] if baseline.exists() else []
    assert [each["path"] for each in entries] == ["funcy/a.py"] * left
    # What a call looks at counts from now on, and a change of the calls is one of what judges it.
    repository.sample.commit("gate")
    repository.put("tests/test_a.py", FUNCY["tests/test_a.py"] + "\n\ndef test_b() -> None:\n    assert 2 +2 == 4\n")
    repository.sample.commit("in the style of the project")
    assert repository.gate("verify", "--ref", "HEAD", "--json").json["status"] == "pass"
    repository.put("funcy/b.py", "import os\n")
    adapters["code"]["linter_calls"]["flake8"][0] = ["funcy/__init__.py"]
    repository.put("config/adapters.json", json.dumps(adapters))
    repository.sample.commit("look away")
    verdict = repository.gate("verify", "--ref", "HEAD", "--json").json
    assert verdict["status"] == "fail"
    reasons = {item["code"] for item in verdict["reasons"]}
    assert {"LINT_FAIL"} < reasons, reasons


@pytest.mark.release
def test_a_test_script_that_nothing_here_reads_is_declared_when_asked_for(repository: gr.GatedRepository) -> None:
    package = {"scripts": {"test": "tap"}, "devDependencies": {"tap": "16"}}
    program = "#!/bin/sh\nexit 0\n"
    commit(repository, {"package.json": json.dumps(package), ".gitignore": "node_modules\n", "test/a.js": "0;\n"})
    (repository.root / "node_modules/.bin").mkdir(parents=True)
    (repository.root / "node_modules/.bin/tap").write_text(program)
    (repository.root / "node_modules/.bin/tap").chmod(0o755)
    first = repository.gate("init", "--json")
    assert "TESTS_EMPTY" in json.dumps(first.json["verdict"]["reasons"]), first.output
    # It ends well whatever the tests are: nothing shows that it runs any.
    left = repository.gate("init", "--fix", "--yes", "--json").json
    assert left["verdict"]["status"] == "fail"
    (tests,) = left["unsettled"]
    assert (tests["capability"], "every test file is broken" in tests["tried"][0]) == ("code:tests", True), tests
    assert not (repository.root / "config/adapters.json").exists()
    (repository.root / "node_modules/.bin/tap").write_text("#!/bin/sh\nexec node test/a.js\n")
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    declared = json.loads((repository.root / "config/adapters.json").read_bytes())["code"]["tests"]
    assert declared == [{"command": ["npm", "test"], "format": "exit-code"}]
    assert fixed.json["verdict"]["status"] == "pass", fixed.output


@pytest.mark.release
def test_a_build_that_fails_as_it_is_is_left_out_when_asked_for(repository: gr.GatedRepository) -> None:
    package = {"scripts": {"test": "node --test", "build": "node build.js"}, "type": "module"}
    test = 'import test from "node:test";\n\ntest("it is", () => {});\n'
    commit(repository, {"package.json": json.dumps(package), "build.js": "process.exit(1);\n", "a.test.js": test})
    first = repository.gate("init", "--json")
    assert [item["code"] for item in first.json["verdict"]["reasons"]] == ["BUILD_FAIL"], first.output
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    assert sorted(fixed.json["settled"]) == ["config/adapter-plan.json", "config/verification.profiles.json"]
    assert fixed.json["verdict"]["status"] == "pass", fixed.output
    assert repository.gate("init", "--json").json["verdict"]["status"] == "pass"


BROKEN_RUFF = '[tool.ruff]\nline-length = "wide"\n'
NEEDS_MODE = """\
import os

def test_mode() -> None:
    assert os.environ["SHOP_MODE"] == "test"
"""


@pytest.mark.release
def test_a_variable_of_the_pipeline_is_set_and_a_linter_that_crashes_is_left_out_and_said(
    repository: gr.GatedRepository,
) -> None:
    workflow = "jobs:\n  test:\n    env: {SHOP_MODE: test}\n    steps: [{run: pytest}]\n"
    files = {"pyproject.toml": BROKEN_RUFF, "test_shop.py": NEEDS_MODE, ".github/workflows/test.yml": workflow}
    commit(repository, files)
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    assert fixed.json["verdict"]["status"] == "pass", fixed.output
    (reason,) = fixed.json["verdict"]["policy"]["unchecked"].items()
    assert (reason[0], "ruff" in reason[1]) == ("code:lint", True), reason
    adapters = json.loads((repository.root / "config/adapters.json").read_bytes())
    assert adapters["code"] == {"environment": {"SHOP_MODE": "test"}}
    assert not (repository.root / "config/verigate-baseline.json").exists()
    again = repository.gate("init")
    assert "not checked: code:lint (" in again.out
    # It comes back once nobody says that it is left out.
    plan = json.loads((repository.root / "config/adapter-plan.json").read_bytes())
    del plan["code"]["unchecked"]
    repository.put("config/adapter-plan.json", json.dumps(plan))
    repository.put("pyproject.toml", '[tool.ruff.lint]\nselect = ["F"]\n')
    repository.sample.commit("mended")
    taken_up = repository.gate("init", "--json")
    assert taken_up.json["verdict"]["status"] == "pass", taken_up.output
    assert repository.published("lint.json", "implicit")["files_checked"] == 1


def test_a_baseline_is_not_named_where_nothing_was_found(repository: gr.GatedRepository) -> None:
    package = {"scripts": {"test": "lab"}, "devDependencies": {"lab": "1"}}
    (repository.root / "node_modules").mkdir()
    files = {".gitignore": "node_modules\n", ".eslintrc.json": "{}\n", "a.js": "module.exports = 1;\n"}
    commit(repository, {**files, "package.json": json.dumps(package)})
    done = repository.gate("init")
    text = " ".join(done.out.split())
    assert "LINT_EMPTY, TESTS_EMPTY" in text or "TESTS_EMPTY, LINT_EMPTY" in text, done.output
    assert "eslint is configured, but is neither installed nor among the dependencies in package.json" in text
    assert "HEAD doesn't pass with these files, which are written all the same (exit code 0)\nnext:" in done.out
    assert "gate baseline write" not in done.out


def test_tests_of_go_without_a_module_say_what_they_need(repository: gr.GatedRepository) -> None:
    commit(repository, {"a.go": "package a\n", "a_test.go": "package a\n"})
    done = repository.gate("init")
    text = " ".join(done.out.split())
    assert "a_test.go has tests, and the repository has no go.mod: run `go mod init`" in text, done.output
    assert "TESTS_EMPTY" in text


def test_tests_that_nothing_says_how_to_run_are_no_project_without_tests(repository: gr.GatedRepository) -> None:
    commit(repository, {"src/Shop.java": "class Shop {}\n", "test/java/Sells.java": "import org.junit.Test;\n"})
    done = repository.gate("init")
    text = " ".join(done.out.split())
    assert "java tests (test/java/Sells.java): nothing here that can be read says how they are run" in text, done.output
    assert "how to run it isn't known: declare its command in config/adapters.json" in text
    assert "TESTS_EMPTY" in text


@pytest.mark.release
def test_a_lint_script_that_nothing_here_reads_is_declared_and_its_exit_code_decides(
    repository: gr.GatedRepository,
) -> None:
    package = {"scripts": {"lint": "sh lint.sh"}}
    files = {
        "package.json": json.dumps(package),
        ".pylintrc": "",
        "a.py": "A = 1\n",
        "lint.sh": "! grep B a.py\n",
    }
    commit(repository, {**files, "test_a.py": "def test_a() -> None:\n    pass\n"})
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    assert fixed.json["verdict"]["status"] == "pass", fixed.output
    declared = json.loads((repository.root / "config/adapters.json").read_bytes())["code"]
    assert declared == {"lint": [{"command": ["npm", "run", "lint"], "format": "exit-code"}]}
    repository.put("a.py", "B = 1\n")
    repository.sample.commit("worse")
    worse = repository.gate("init")
    assert "npm run lint ended with" in worse.out, worse.output
    assert (
        "code:lint keeps this commit from passing: gate init --fix --yes looks for the cause, and writes" in worse.out
    )
    assert "HEAD doesn't pass with these files, which are written all the same (exit code 0); to accept" in worse.out
    assert "until a date: gate baseline write\nnext: fix that first; or commit these files, then `gate i" in worse.out
    assert worse.code == 0
    assert "FAIL" in worse.out
    unasked = repository.gate("init", "--fix")
    assert "nobody can be asked here; call gate init --fix on a terminal, or with --yes" in unasked.out, unasked.output


@pytest.mark.release
def test_a_command_for_tests_that_no_plan_has_is_shown_tried_and_planned(repository: gr.GatedRepository) -> None:
    tests = 'import os\nassert os.environ["SHOP_MODE"] == "test"\nassert "3" in open("shop.txt").read()\n'
    tox = "[testenv]\nsetenv = SHOP_MODE=test\ncommands = python checks/run.py\n"
    commit(repository, {"tox.ini": tox, "checks/run.py": tests, "shop.txt": "3\n", "README.md": "# Shop\n"})
    first = repository.gate("init")
    assert "gate init --fix --yes tries it, and writes without asking" in first.out, first.output
    assert "next: commit these files and push them, then `gate install` for" in first.out
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    assert fixed.json["verdict"]["status"] == "pass", fixed.output
    declared = json.loads((repository.root / "config/adapters.json").read_bytes())["code"]
    assert declared["tests"] == [{"command": ["python", "checks/run.py"], "format": "exit-code"}]
    assert declared["environment"] == {"SHOP_MODE": "test"}
    repository.put("shop.txt", "4\n")
    repository.sample.commit("worse")
    assert repository.gate("init", "--json").json["verdict"]["status"] == "fail"


CRATE = {
    ".gitignore": "target\n",
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub fn price() -> u8 {\n    3\n}\n",
}


def link_cargo(folder: Path) -> Path:
    """Make a folder of this machine's programs that has its cargo, and no clippy, as Debian's package of cargo."""
    folder.mkdir()
    for program in [*Path("/usr/bin").iterdir(), *Path("/bin").iterdir()]:
        if program.name not in {"cargo-clippy", "clippy-driver", "rustup"} and not (folder / program.name).is_symlink():
            (folder / program.name).symlink_to(program)
    for name in ("cargo", "rustc", "rustdoc"):
        asked = ["rustup", "which", name] if shutil.which("rustup") else ["which", name]
        place = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(place)
    return folder


@pytest.mark.slow
def test_a_command_that_runs_no_test_settles_none_that_fail_among_the_code(repository: gr.GatedRepository) -> None:
    source = CRATE["src/lib.rs"] + "\n#[test]\nfn costs_four() {\n    assert_eq!(price(), 4);\n}\n"
    commit(repository, CRATE | {"src/lib.rs": source, "Makefile": "test:\n\techo 1 passed\n"})
    fixed = repository.gate("init", "--fix", "--yes", "--json")
    assert "TEST_FAIL" in {item["code"] for item in fixed.json["verdict"]["reasons"]}, fixed.output
    assert not (repository.root / "config/adapters.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("there", "reason"), [(True, "TEST_FAIL"), (False, "TESTS_EMPTY")], ids=["cargo", "no cargo"])
def test_tests_that_stand_among_the_code_are_never_left_out(
    repository: gr.GatedRepository, tmp_path: Path, there: bool, reason: str
) -> None:
    source = CRATE["src/lib.rs"] + "\n#[test]\nfn costs_four() {\n    assert_eq!(price(), 4);\n}\n"
    commit(repository, CRATE | {"src/lib.rs": source})
    programs = link_cargo(tmp_path / "bin")
    if not there:
        (programs / "cargo").unlink()
    fixed = repository.gate("init", "--fix", "--yes", "--json", **({} if there else {"PATH": str(programs)}))
    assert {item["code"] for item in fixed.json["verdict"]["reasons"]} == {reason}, fixed.output
    plan = json.loads((repository.root / "config/adapter-plan.json").read_bytes())
    assert "code:tests" in plan["code"]["required"]
    assert "code:tests" not in plan["code"].get("unchecked", {})


@pytest.mark.slow
def test_a_linter_that_this_machine_lacks_is_named_left_out_and_put_back(
    repository: gr.GatedRepository, tmp_path: Path
) -> None:
    commit(repository, CRATE)
    programs, cargo = link_cargo(tmp_path / "bin"), tmp_path / "cargo"
    cargo.mkdir()
    bare = {"PATH": str(programs), "CARGO_HOME": str(cargo), "RUSTUP_HOME": str(cargo)}
    install = "apt-get install rust-clippy" if (programs / "apt-get").exists() else "rustup component add clippy"
    first = repository.gate("init", **bare)
    assert f"missing clippy: {install}" in first.out
    assert "Cargo.toml  (not installed)" in first.out
    assert "missing: clippy (.): cargo has no clippy: " in " ".join(first.out.split())
    assert f"clippy is missing: {install}" in first.out
    fixed = repository.gate("init", "--fix", "--yes", **bare)
    assert f"code:lint can't run: clippy is missing; to check it: {install}" in fixed.out
    assert f"to add it: install what it lacks ({install}" in fixed.out
    assert "PASS" in fixed.out
    # What is installed now is found again, and the note says how lint comes back.
    for name in ("cargo-clippy", "clippy-driver"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    back = repository.gate("init", "--no-verdict", **bare)
    assert "missing clippy" not in back.out
    assert "delete code:lint from unchecked in config/adapter-plan.json and call gate init again" in back.out
    plan = json.loads((repository.root / "config/adapter-plan.json").read_bytes())
    del plan["code"]["unchecked"]["code:lint"]
    repository.put("config/adapter-plan.json", plan)
    again = repository.gate("init", "--no-verdict", **bare)
    assert "changing config/adapter-plan.json: plans code:lint" in again.out


def test_a_runner_that_asks_for_another_node_is_named_before_it_fails(repository: gr.GatedRepository) -> None:
    commit(repository, {".gitignore": "node_modules\n", "package.json": '{"scripts": {"test": "vitest run"}}'})
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    installed = {"name": "vitest", "version": "5.0.1", "engines": {"node": "^97.1.0 || >=98"}}
    repository.put("node_modules/vitest/package.json", installed)
    said = f"vitest 5.0.1 asks for node ^97.1.0 || >=98; this is {version.removeprefix('v')}"
    advice = "install such a node, or a version of vitest that works with this one"
    assert f"warning {said}: {advice}" in repository.gate("init", "--dry-run").out.splitlines()
    assert repository.gate("init", "--dry-run", "--json").json["warnings"] == [f"{said}: {advice}"]
    found = repository.gate("doctor", "--json").json["checks"]
    assert [(each["code"], each["hint"]) for each in found if each["message"] == said] == [("tool.vitest", advice)]
    repository.put("node_modules/vitest/package.json", {**installed, "engines": {"node": ">=4"}})
    assert repository.gate("init", "--dry-run", "--json").json["warnings"] == []
