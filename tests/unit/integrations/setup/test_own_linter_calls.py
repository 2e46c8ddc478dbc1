"""How a project calls ruff and flake8, by its own files; nothing is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from verigate.integrations.setup.own_linter_calls import find_linter_calls
from verigate.integrations.setup.repository_scan import scan_repository

HOOKS = ".pre-commit-config.yaml"
PYTHON = ("setup.py", "shop/a.py", "shop/made/b.py", "shop/made/c.py", "tests/d.py", "docs/setup.py")


def find(root: Path, files: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The calls as one types them and their source, for each linter."""
    for path, text in (dict.fromkeys(PYTHON, "") | files).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for command in (("init", "-q"), ("add", "--all")):
        subprocess.run(("git", *command), cwd=root, check=True, env=env)
    return {each.tool: (each.line, each.source) for each in find_linter_calls(scan_repository(root))}


def read_tox(root: Path, *lines: str) -> str | None:
    """The calls of an environment with these commands."""
    found = find(root, {"tox.ini": "[testenv:lint]\ncommands =\n" + "".join(f"    {line}\n" for line in lines)})
    assert all(source == "tox.ini, testenv:lint" for _, source in found.values())
    return "; ".join(line for line, _ in found.values()) or None


def read_hook(root: Path, hook: str, top: str = "") -> str | None:
    found = find(root, {HOOKS: f"{top}repos:\n- repo: x\n  hooks:\n  - {hook}\n"})
    return "; ".join(line for line, _ in found.values()) or None


@pytest.mark.parametrize(
    ("lines", "calls"),
    [
        (
            ["python --version", "flake8 shop", "flake8 --select=F,E5,W tests"],
            "flake8 shop; flake8 --select=F,E5,W tests",
        ),
        (["flake8 {posargs:shop} ./tests/"], "flake8 shop tests"),
        (["flake8 --select F,E shop"], "flake8 --select=F,E shop"),
        (["{envpython} -m flake8 --count --show-source -j 4 --statistics shop"], "flake8 shop"),
        (["py3: uv run --frozen ruff check --fix --output-format=github --select=F ."], "ruff check --select=F ."),
        (["ruff format --check shop", "ruff check shop && flake8 tests"], "ruff check shop; flake8 tests"),
        (["flake8 --config setup.cfg shop"], "flake8 shop"),
        # What enforces nothing is no call.
        (
            ["- flake8 tests", "flake8 --exit-zero tests", "flake8 docs || true", "flake8 --version", "flake8 shop"],
            "flake8 shop",
        ),
        (["pip install flake8 ruff", "pre-commit run flake8", "flake8 shop"], "flake8 shop"),
        # The whole project.
        (["flake8", "flake8 shop"], None),
        (["flake8 . --max-complexity=10", "flake8 shop"], None),
        (["ruff check --extend-select=I .", "ruff check shop"], None),
        (["python -m ruff check"], None),
        # What can't be said.
        (["flake8 shop/*.py", "flake8 tests"], None),
        (["flake8 shop; true"], None),
        (["cd shop && flake8 made"], None),
        (["flake8 --config=other.cfg shop"], None),
        (["flake8 --bare-option shop"], None),
        (["flake8 ../shop"], None),
        (["flake8 /shop"], None),
        (["flake8 nowhere"], None),
        (["flake8 shop shop/made"], None),
        (["uv run --group x flake8 shop"], None),
        (["flake8 'shop"], None),
        (["git ls-files | xargs -0 ruff check", "ruff check shop"], None),
        (["ruff --select=F shop", "ruff check shop"], None),
        (["flake8 shop" + " " * 1000 + "tests"], None),
        ([f"flake8 --select=E{number} shop" for number in range(11)], None),
    ],
)
def test_commands_of_tox(tmp_path: Path, lines: list[str], calls: str | None) -> None:
    assert read_tox(tmp_path, *lines) == calls


def test_commands_in_another_folder_are_not_those_of_the_project(tmp_path: Path) -> None:
    assert find(tmp_path, {"tox.ini": "[testenv:x]\nchangedir = shop\ncommands = flake8 made\n"}) == {}


def test_a_shell_replaces_patterns_in_a_pipeline(tmp_path: Path) -> None:
    lines = "flake8 --extend-ignore F401 shop/made/*.py setup.py tests/\n"
    found = find(tmp_path, {".github/workflows/ci.yml": f"jobs:\n  a:\n    steps:\n    - run: {lines}"})
    assert found["flake8"][0] == "flake8 --extend-ignore=F401 'shop/made/*.py' setup.py tests"
    none = find(tmp_path / "b", {".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n    - run: flake8 none/*.py\n"})
    assert none == {}


@pytest.mark.parametrize("file", ["tox.toml", "pyproject.toml"])
def test_tox_in_tables(tmp_path: Path, file: str) -> None:
    start = "" if file == "tox.toml" else "tool.tox."
    text = f'[{start}env.lint]\ncommands = [["ruff", "check", "shop"], "x", [{{replace = "posargs"}}]]\n'
    assert find(tmp_path, {file: text}) == {"ruff": ("ruff check shop", f"{file}, lint")}


def test_tox_in_a_text(tmp_path: Path) -> None:
    text = '[tool.tox]\nlegacy_tox_ini = """\n[testenv:a]\ncommands =\n    flake8 shop\n    flake8 tests\n"""\n'
    found = find(tmp_path, {"pyproject.toml": text})
    assert found == {"flake8": ("flake8 shop; flake8 tests", "pyproject.toml, testenv:a")}
    assert find(tmp_path, {"pyproject.toml": text.replace("[testenv:a]", "")}) == {}


WORKFLOW = "jobs:\n  a:\n    steps:\n    - run: |\n        pip install flake8\n        flake8 docs\n"


def test_the_first_source_that_calls_a_linter_counts(tmp_path: Path) -> None:
    files = {
        "tox.ini": "[testenv]\ncommands = flake8 shop\n",
        ".github/workflows/a.yml": WORKFLOW,
        "Makefile": "flake8:\n\t-flake8 .\nlint: x\n\t@flake8 setup.py\n\truff check shop \\\n\t  tests\n",
        HOOKS: "repos:\n- hooks:\n  - id: flake8\n    files: ^tests/\n",
    }
    made = "ruff check shop tests", "Makefile"
    assert find(tmp_path, files) == {"flake8": ("flake8 shop", "tox.ini, testenv"), "ruff": made}
    files |= {"tox.ini": ""}
    assert find(tmp_path, files)["flake8"] == ("flake8 docs", ".github/workflows/a.yml")
    files |= {".github/workflows/a.yml": "{"}
    assert find(tmp_path, files)["flake8"] == ("flake8 setup.py", "Makefile")
    # One that can't be said is not passed over for one that may check less.
    assert "flake8" not in find(tmp_path, files | {"Makefile": "lint:\n\tflake8 $(SOURCES)\n"})
    files |= {"Makefile": ""}
    assert find(tmp_path, files)["flake8"] == ("flake8 tests", f"{HOOKS}, hook flake8")


def test_any_source_that_checks_everything_leaves_nothing_to_propose(tmp_path: Path) -> None:
    hook = "repos:\n- hooks:\n  - id: flake8\n"
    tox = {"tox.ini": "[testenv]\ncommands = flake8 shop\n"}
    assert find(tmp_path, {**tox, HOOKS: hook}) == {}
    session = "import nox\n\ndef lint(session):\n    session.run('flake8', '{}')\n"
    assert find(tmp_path, {**tox, HOOKS: "", "noxfile.py": session.format(".")}) == {}
    assert len(find(tmp_path, {**tox, "noxfile.py": session.format("docs")})) == 1


@pytest.mark.parametrize(
    ("inputs", "found"),
    [
        ("", False),
        ("with: {args: check, src: ./}", False),
        ("with: {version: 0.9}", False),
        ("with: {src: [shop]}", False),
        ("with: {args: check --select F}", False),
        ("with: {args: format --check}", True),
        ("with: {args: --version}", True),
    ],
)
def test_an_action_that_calls_ruff_says_nothing_narrower(tmp_path: Path, inputs: str, found: bool) -> None:
    step = f"- {{uses: astral-sh/ruff-action@v3, {inputs}}}"
    hook = "repos:\n- hooks:\n  - {id: ruff, files: ^shop/}\n"
    calls = find(tmp_path, {".github/workflows/a.yml": f"jobs: {{a: {{steps: [{step[2:]}]}}}}\n", HOOKS: hook})
    assert ("ruff" in calls) is found


@pytest.mark.parametrize(
    ("hook", "calls"),
    [
        ("{id: ruff, args: [--fix, --show-fixes], exclude: tests/d.py}", "ruff check --extend-exclude=tests/d.py ."),
        ("{id: flake8, exclude: '^(setup|docs/.*)[.]py$'}", "flake8 --extend-exclude=docs/setup.py,./setup.py ."),
        ("{id: ruff-check, args: [--exit-non-zero-on-fix], files: ^shop/}", "ruff check shop"),
        (
            "{id: ruff-check, args: ['--select', F], files: '^(shop/made|tests)/'}",
            "ruff check --select=F shop/made tests",
        ),
        ("{id: flake8, files: '(?x)^( setup | shop/made/b )[.]py'}", "flake8 setup.py shop/made/b.py"),
        ("{id: flake8, files: ^shop/, exclude: ^shop/made/}", "flake8 shop/a.py"),
        ("{id: flake8, args: [--select=F]}", "flake8 --select=F ."),
        ("{id: ruff}", None),
        ("{id: ruff, files: '[.]py$'}", None),
        ("{id: ruff, args: [--fix]}", None),
        ("{id: ruff-format, files: ^shop/}", None),
        ("{id: flake8, files: ^shop/, stages: [manual]}", None),
        ("{id: flake8, files: ^shop/, types: [text]}", None),
        ("{id: flake8, files: ^shop/, entry: x}", None),
        ("{id: flake8, files: ^shop/, args: x}", None),
        ("{id: flake8, files: ^shop/, args: [tests]}", None),
        ("{id: flake8, exclude: ^shop/, args: [--extend-exclude=x]}", None),
        ("{id: flake8, files: ^nowhere/}", None),
        ("{id: flake8, files: '('}", None),
        ("{id: flake8, files: [a]}", None),
        (f"{{id: flake8, files: '^shop/{'|x' * 200}'}}", None),
        ("{id: [flake8]}", None),
        ("[", None),
    ],
)
def test_hooks(tmp_path: Path, hook: str, calls: str | None) -> None:
    assert read_hook(tmp_path, hook) == calls


def test_hooks_have_the_patterns_of_the_whole_file_too(tmp_path: Path) -> None:
    assert read_hook(tmp_path, "{id: flake8}", "exclude: ^setup\n") == "flake8 --extend-exclude=./setup.py ."
    assert read_hook(tmp_path, "{id: flake8, exclude: b}", "files: ^shop/made\n") == "flake8 shop/made/c.py"


def test_more_files_than_a_call_should_name_are_not_named(tmp_path: Path) -> None:
    many = {f"many/{name}{number}.py": "" for number in range(51) for name in "ab"}
    for path, text in many.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert read_hook(tmp_path, "{id: flake8, exclude: '^many/a'}") is None
    assert read_hook(tmp_path, "{id: flake8, files: '^many/a'}") is None
    assert read_hook(tmp_path, "{id: flake8, exclude: '^many/a[0-4]?[0-9][.]'}") is not None
    assert read_hook(tmp_path, "{id: flake8, files: '^many/a[0-9][.]'}") is not None


def test_names_that_are_patterns_are_not_excluded(tmp_path: Path) -> None:
    (tmp_path / "x[1].py").write_text("")
    assert read_hook(tmp_path, "{id: flake8, exclude: '^x'}") is None
