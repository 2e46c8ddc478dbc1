"""Three public packages, with history made from two of their releases: our numbers are the tools' own numbers.

toolz and inflection from PyPI (source distributions, pytest, ruff, coverage.py), minimist from npm (tape,
TAP output, nyc). Each verification runs as a user would run it; each tool is then run by hand on the same commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

CACHE = Path(os.environ.get("VERIGATE_TEST_CACHE", Path.home() / ".cache" / "verigate-tests"))
TOOLS = ("pytest==8.4.2", "coverage==7.10.6", "ruff==0.12.11")
PYTHON_PACKAGES = {"toolz": ("0.12.1", "1.0.0"), "inflection": ("0.4.0", "0.5.1")}
MINIMIST = ("1.2.7", "1.2.8")


def run(*argv: str | Path, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "GIT_", "PYTEST_"))}
    return subprocess.run(argv, cwd=cwd, env={**kept, **(env or {})}, capture_output=True, text=True, check=False)


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.invalid")
    done = run("git", *identity, *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def release(name: str, version: str) -> Path:
    """The source distribution of a PyPI package, fetched once."""
    folder = CACHE / "sdists" / f"{name}-{version}"
    if not folder.is_dir():
        part = folder.with_name(f".{folder.name}.{os.getpid()}")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        options = ("--no-deps", "--no-binary", name, "--quiet", "--dest", str(part))
        done = run(sys.executable, "-m", "pip", "download", *options, f"{name}=={version}", cwd=part)
        archives = list(part.glob("*.tar.gz"))
        assert archives, done.stderr
        _finish(part, folder, archives[0])
    return next(path for path in folder.iterdir() if path.is_dir())


def package(name: str, version: str) -> Path:
    """The package of the npm registry, fetched once."""
    folder = CACHE / "npm-packages" / f"{name}-{version}"
    if not folder.is_dir():
        part = folder.with_name(f".{folder.name}.{os.getpid()}")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        done = run("npm", "pack", "--silent", f"{name}@{version}", cwd=part)
        assert done.returncode == 0, done.stderr
        _finish(part, folder, next(part.glob("*.tgz")))
    return next(path for path in folder.iterdir() if path.is_dir())


def _finish(part: Path, folder: Path, archive: Path) -> None:
    with tarfile.open(archive) as tar:
        tar.extractall(part, filter="data")
    archive.unlink()
    try:
        part.rename(folder)
    except OSError:
        shutil.rmtree(part)


def history(target: Path, releases: list[Path], extra: dict[str, str] | None = None) -> Path:
    """A repository whose commits are the releases; ``extra`` files stand in each of them."""
    target.mkdir(parents=True)
    git(target, "init", "--quiet", "--initial-branch=main")
    for source in releases:
        for entry in target.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(source, target, dirs_exist_ok=True)
        for name, content in (extra or {}).items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_text(content)
        git(target, "add", "--all", "--force")
        git(target, "commit", "--quiet", "-m", source.name)
    return target


def verify(folder: Path, env: dict[str, str] | None = None) -> dict[str, Any]:
    """The published artifacts of ``gate verify --ref HEAD`` and its verdict."""
    done = run(sys.executable, "-I", "-m", "verigate", "verify", "--ref", "HEAD", cwd=folder, env=env)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    task = folder / ".artifacts" / "implicit"
    return {path.name: json.loads(path.read_text()) for path in task.glob("*.json")}


def same_diff(folder: Path, found: dict[str, Any]) -> None:
    """diff.json and diff_names.json against git's own counts."""
    stat = git(folder, "diff", "--shortstat", "HEAD^", "HEAD")
    numbers = {word: int(count) for count, word in re.findall(r"(\d+) (file|insertion|deletion)", stat)}
    assert found["diff.json"]["insertions"] == numbers.get("insertion", 0)
    assert found["diff.json"]["deletions"] == numbers.get("deletion", 0)
    plain = git(folder, "diff", "--no-renames", "--name-status", "HEAD^", "HEAD").splitlines()
    by_letter = {letter: sorted(line[2:] for line in plain if line[0] == letter) for letter in "AMD"}
    assert found["diff_names.json"] == {
        "added": by_letter["A"],
        "modified": by_letter["M"],
        "deleted": by_letter["D"],
    }
    assert found["diff.json"]["total_changes"] == len(plain)


@pytest.fixture(scope="session")
def python_tools() -> Path:
    """A project environment with pinned tools, made once."""
    digest = hashlib.sha256(" ".join((*TOOLS, sys.version)).encode()).hexdigest()[:12]
    folder = CACHE / f"env-{digest}"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        venv.EnvBuilder(with_pip=True, symlinks=True).create(folder)
        subprocess.run((folder / "bin" / "pip", "install", "--quiet", *TOOLS), check=True, capture_output=True)
        (folder / "ready").touch()
    return folder


@pytest.mark.release
@pytest.mark.parametrize("name", ["inflection", "toolz"])
def test_a_python_package(name: str, python_tools: Path, tmp_path: Path) -> None:
    folder = history(tmp_path / name, [release(name, version) for version in PYTHON_PACKAGES[name]])
    found = verify(folder, {"VIRTUAL_ENV": str(python_tools)})
    assert found["verdict.json"]["status"] in {"pass", "fail"}
    same_diff(folder, found)

    by_hand = tmp_path / "by-hand"
    git(tmp_path, "clone", "--quiet", str(folder), str(by_hand))
    python = python_tools / "bin" / "python"
    junit = tmp_path / "junit.xml"
    run(python, "-m", "pytest", "-q", f"--junitxml={junit}", cwd=by_hand)
    suite = next(ET.parse(junit).getroot().iter("testsuite"))  # noqa: S314 - written by pytest just now
    numbers = {key: int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped")}
    assert numbers["tests"] > 50
    tests = found["tests.json"]
    assert tests["tool"] == "pytest"
    assert tests["total"] == numbers["tests"]
    assert tests["failed"] == numbers["failures"] + numbers["errors"]
    assert tests["skipped"] == numbers["skipped"]

    issues = json.loads(run(python_tools / "bin" / "ruff", "check", "--output-format=json", cwd=by_hand).stdout)
    files = run(python_tools / "bin" / "ruff", "check", "--show-files", cwd=by_hand).stdout.splitlines()
    assert found["lint.json"]["errors"] == len(issues)
    assert found["lint.json"]["files_checked"] == len(files)

    run(python, "-m", "coverage", "run", "-m", "pytest", "-q", cwd=by_hand)
    run(python, "-m", "coverage", "json", "-o", tmp_path / "coverage.json", cwd=by_hand)
    by_file = json.loads((tmp_path / "coverage.json").read_text())["files"]
    product = [entry["summary"] for path, entry in by_file.items() if "test" not in path]
    assert product
    coverage = found["coverage.json"]
    assert coverage["lines"]["covered"] == sum(each["covered_lines"] for each in product)
    assert coverage["lines"]["total"] == sum(each["num_statements"] for each in product)


def node_tools() -> Path:
    """A ``node_modules`` with pinned tools, installed once."""
    tools = ("tape@5.9.0", "nyc@17.1.0", "eslint@8.57.1", "@ljharb/eslint-config@21.0.1")
    folder = CACHE / f"npm-{hashlib.sha256(' '.join(tools).encode()).hexdigest()[:12]}"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # The shared configuration asks for an eslint that no longer runs on this node.
        options = ("--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error")
        done = run("npm", "install", *options, *tools, cwd=folder)
        assert done.returncode == 0, done.stderr
        (folder / "ready").touch()
    return folder / "node_modules"


@pytest.mark.release
def test_a_javascript_package(tmp_path: Path) -> None:
    config = {
        "code": {
            "tests": [{"name": "tape", "command": ["tape", "test/**/*.js"], "format": "tap", "report": "-"}],
            "coverage": [
                {
                    "name": "nyc",
                    "command": ["nyc", "--reporter=lcov", "--report-dir=out", "tape", "test/**/*.js"],
                    "format": "lcov",
                    "report": "out/lcov.info",
                }
            ],
        }
    }
    extra = {"config/adapters.json": json.dumps(config), ".gitignore": "node_modules/\nout/\n.nyc_output/\n"}
    folder = history(tmp_path / "minimist", [package("minimist", version) for version in MINIMIST], extra)
    shutil.copytree(node_tools(), folder / "node_modules", symlinks=True)
    found = verify(folder)
    assert found["verdict.json"]["status"] in {"pass", "fail"}
    same_diff(folder, found)

    binaries = folder / "node_modules" / ".bin"
    tap = run(binaries / "tape", "test/**/*.js", cwd=folder).stdout
    printed = {word: int(count) for word, count in re.findall(r"^# (tests|pass|fail)\s+(\d+)$", tap, re.MULTILINE)}
    assert printed["tests"] > 50
    assert found["tests.json"]["total"] == printed["tests"]
    assert found["tests.json"]["failed"] == printed.get("fail", 0)

    linted = json.loads(run(binaries / "eslint", ".", "--format=json", cwd=folder).stdout)
    assert found["lint.json"]["errors"] == sum(item["errorCount"] for item in linted)
    assert found["lint.json"]["warnings"] == sum(item["warningCount"] for item in linted)
    assert found["lint.json"]["files_checked"] == len(linted)

    options = ("--reporter=json-summary", "--report-dir=summary")
    run(binaries / "nyc", *options, binaries / "tape", "test/**/*.js", cwd=folder)
    lines = json.loads((folder / "summary" / "coverage-summary.json").read_text())["total"]["lines"]
    assert found["coverage.json"]["lines"]["covered"] == lines["covered"]
    assert found["coverage.json"]["lines"]["total"] == lines["total"]
