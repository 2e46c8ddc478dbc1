"""Which dependencies of real folders are seen to be missing, and the command that installs them."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest

from verigate.integrations.setup import missing_dependencies
from verigate.integrations.setup.missing_dependencies import Missing, find_missing
from verigate.integrations.setup.repository_scan import scan_repository
from verigate.sdk.install_commands import find_install_command, find_install_commands, make_tool_install

NODE = '{"devDependencies": {"jest": "1"}}'
PYTHON = '[project]\nname = "x"\ndependencies = ["attrs"]\n'
PIP = ".venv/bin/python -m pip install"
LOCK = (
    '[[package]]\nname = "itoa"\nversion = "1.0.1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n'
)


def find(root: Path, **environ: str) -> tuple[Missing, ...]:
    return find_missing(scan_repository(root), {"HOME": str(root / "home"), **environ}, sys.prefix)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"package.json": NODE, "package-lock.json": "{}"}, "npm ci"),
        ({"package.json": NODE, "pnpm-lock.yaml": ""}, "pnpm install --frozen-lockfile"),
        ({"package.json": NODE, "yarn.lock": ""}, "yarn install --frozen-lockfile"),
        ({"package.json": NODE, "yarn.lock": "", ".yarnrc.yml": ""}, "yarn install --immutable"),
        ({"package.json": NODE, "bun.lock": ""}, "bun install --frozen-lockfile"),
        ({"package.json": NODE}, "npm install"),
        ({"web site/package.json": NODE}, "(cd 'web site' && npm install)"),
        ({"pyproject.toml": PYTHON, "uv.lock": ""}, "uv sync"),
        ({"pyproject.toml": PYTHON, "poetry.lock": ""}, "poetry install"),
        ({"pyproject.toml": PYTHON}, "python3 -m venv .venv && .venv/bin/python -m pip install -e ."),
        (
            {"pyproject.toml": PYTHON + '[project.optional-dependencies]\ndocs = ["a"]\ntest = ["pytest"]\n'},
            "python3 -m venv .venv && .venv/bin/python -m pip install -e '.[test]'",
        ),
        (
            {"pyproject.toml": '[project]\nname = "x"\n[dependency-groups]\ndev = ["pytest"]\n'},
            f"python3 -m venv .venv && {PIP} --upgrade 'pip>=25.1' && {PIP} -e . --group dev",
        ),
        ({"requirements.txt": "attrs"}, "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt"),
        ({"Cargo.toml": "", "Cargo.lock": LOCK}, "cargo fetch --locked"),
        ({"go.mod": "module x\n\nrequire (\n\tgithub.com/Masterminds/semver v1.5.0\n)\n"}, "go mod download"),
        ({"pom.xml": ""}, "mvn -B dependency:go-offline"),
        ({"gradlew": "", "build.gradle": ""}, "./gradlew testClasses"),
    ],
)
def test_a_fresh_clone_lacks_what_its_files_declare(tmp_path: Path, files: dict[str, str], line: str) -> None:
    assert [item.line for item in find(write(tmp_path, files))] == [line]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"package.json": '{"name": "x"}'},
        {"package.json": NODE, "node_modules/jest/package.json": "{}"},
        {"package.json": NODE, ".pnp.cjs": ""},
        {"package.json": NODE, "node_modules/x/y": "", "packages/a/package.json": NODE},
        {"pyproject.toml": '[project]\nname = "x"\n'},
        {"pyproject.toml": "[tool.ruff]\nline-length = 100\n"},
        {"Cargo.toml": "", "Cargo.lock": LOCK, "home/.cargo/registry/cache/index/itoa-1.0.1.crate": ""},
        {"Cargo.toml": "", "Cargo.lock": LOCK, ".cargo/config.toml": 'replace-with = "vendored"'},
        {"Cargo.toml": "", "Cargo.lock": LOCK, "home/.cargo/config.toml": 'replace-with = "vendored"'},
        {"Cargo.toml": "", "Cargo.lock": "not TOML ["},
        {"go.mod": "module x\n\ngo 1.19\n"},
        {"go.mod": "module x\n\nrequire github.com/A/b v1.0.0\n", "home/go/pkg/mod/github.com/!a/b@v1.0.0/x": ""},
        {"go.mod": "module x\n\nrequire github.com/a/b v1.0.0\n", "vendor/modules.txt": ""},
        {"pom.xml": "", "home/.m2/repository/junit/junit.pom": ""},
        {"pom.xml": "", ".mvn/maven.config": "-Dmaven.repo.local=/usr/share/maven-repo\n"},
        {"pom.xml": "", "home/.m2/settings.xml": "<settings><localRepository>/r</localRepository></settings>"},
    ],
)
def test_what_is_there_is_not_missing(tmp_path: Path, files: dict[str, str]) -> None:
    assert find(write(tmp_path, files)) == ()


@pytest.mark.parametrize("is_debian", [True, False])
def test_where_debian_has_artifacts_of_maven_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_debian: bool
) -> None:
    packages = tmp_path / "maven-repo"
    if is_debian:
        packages.mkdir()
    monkeypatch.setattr(missing_dependencies, "_DEBIAN_MAVEN", packages)
    (found,) = find(write(tmp_path, {"pom.xml": ""}))
    named = f" (or name {packages} as localRepository in ~/.m2/settings.xml)" if is_debian else ""
    assert found.what == f"Maven's local repository{named}"


def test_an_environment_of_the_project_is_seen(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": PYTHON})
    assert [item.what for item in find(tmp_path)] == ["a Python environment (.venv)"]
    conda = tmp_path / "home/conda"
    (conda / "conda-meta").mkdir(parents=True)
    (conda / "bin").mkdir()
    (conda / "bin/python").symlink_to(sys.executable)
    assert find(tmp_path, CONDA_PREFIX=str(conda)) == ()
    venv.create(tmp_path / ".venv", with_pip=False)
    assert find(tmp_path) == ()


@pytest.mark.parametrize("line", ["pytest", "pytest>=8; python_version > '3'", "Pytest[testing] ~= 8.0"])
def test_an_environment_without_the_pytest_that_is_listed_is_seen(tmp_path: Path, line: str) -> None:
    write(tmp_path, {"pyproject.toml": f'{PYTHON}[project.optional-dependencies]\ntest = ["{line}"]\n'})
    venv.create(tmp_path / ".venv", with_pip=False)
    assert [(item.what, item.line) for item in find(tmp_path)] == [
        ("pytest in the Python environment", "uv pip install --python .venv/bin/python -e '.[test]'")
    ]
    (tmp_path / ".venv/bin/pip").touch()
    assert [item.line for item in find(tmp_path)] == [".venv/bin/python -m pip install -e '.[test]'"]
    packages = next((tmp_path / ".venv/lib").glob("python*/site-packages"))
    (packages / "pytest").mkdir()
    assert find(tmp_path) == ()


def test_an_environment_needs_no_pytest_that_is_not_listed(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": f'{PYTHON}[project.optional-dependencies]\ntest = ["pytest-cov"]\n'})
    venv.create(tmp_path / ".venv", with_pip=False)
    assert find(tmp_path) == ()


def test_many_missing_crates_are_counted(tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": "", "Cargo.lock": "".join(LOCK.replace("itoa", f"c{n}") for n in range(9))})
    assert [item.what for item in find(tmp_path)] == ["crates c0-1.0.1, c1-1.0.1, c2-1.0.1 and 6 more"]


def test_hostile_names_stay_words() -> None:
    found = find_install_command("node", {"package.json", "$(touch x)", "yarn.lock"})
    assert found is not None
    assert found.line == "yarn install --frozen-lockfile"
    assert [item.ecosystem for item in find_install_commands({"Gemfile.lock", "composer.lock"})] == ["ruby", "php"]
    assert find_install_command("go", {"package.json"}) is None


@pytest.mark.parametrize(
    ("names", "has_env", "line"),
    [
        ({"setup.cfg"}, False, "python3 -m venv .venv && .venv/bin/python -m pip install flake8"),
        ({"setup.cfg"}, True, ".venv/bin/python -m pip install flake8"),
        ({"uv.lock", "pyproject.toml"}, True, "uv pip install flake8"),
        ({"poetry.lock"}, False, "poetry run pip install flake8"),
    ],
)
def test_a_python_program_is_installed_where_the_tests_run(names: set[str], line: str, *, has_env: bool) -> None:
    assert make_tool_install("flake8", names, has_env=has_env) == line
