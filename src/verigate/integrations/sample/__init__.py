"""Build the small repository of ``gate demo``: Python and JavaScript, real git, its own environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from verigate.errors import ExecutionError
from verigate.extras import find_lack, lack_of
from verigate.integrations.sample import project


class Story(Struct, frozen=True):
    """One task of the demo: what is started, changed and claimed, and the expected answer of the gate."""

    task_id: str
    title: str
    start: tuple[str, ...]
    files: Mapping[str, str]
    claim: tuple[str, ...]
    expected_exit: int


def make_stories(*, with_node: bool) -> tuple[Story, ...]:
    """Make the honest task and the two false ones. Without node the JavaScript half is left out."""
    honest_files = dict(project.HONEST_PYTHON)
    honest_units = ["func:discounted", "file:shop/cart.py", "file:tests/test_cart.py"]
    functions = ["--function", "discounted"]
    if with_node:
        honest_files |= project.HONEST_JAVASCRIPT
        honest_units += ["func:percent", "file:web/format.js", "file:web/format.test.js"]
        functions += ["--function", "percent"]
    return (
        Story(
            "honest",
            "An honest claim: the functions exist, linted and tested",
            ("-m", "Add discounts to the cart", *functions),
            honest_files,
            tuple(honest_units),
            0,
        ),
        Story(
            "failing-tests",
            "A false claim: all tests pass, but one fails",
            ("-m", "Let customers return goods", "--function", "refund"),
            project.FAILING,
            ("func:refund", "file:shop/returns.py", "file:tests/test_returns.py"),
            1,
        ),
        Story(
            "missing-function",
            "A false claim: a function that doesn't exist",
            ("-m", "Let customers return goods", "--function", "refund"),
            project.MISSING,
            ("func:refund", "file:README.md"),
            1,
        ),
    )


def build_repository(folder: Path, *, with_node: bool) -> None:
    """Build the repository in ``folder`` (empty): files, environment, one commit. Raises ExecutionError."""
    if (lack := find_lack("code")) is not None:
        raise ExecutionError(lack.message, where="gate demo", hint=lack.command)
    files = {**project.PYTHON, **(project.JAVASCRIPT if with_node else {})}
    write_files(folder, files)
    _make_environment(folder / ".venv")
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    commit_all(folder, "The shop as it is")


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of one step."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def commit_all(folder: Path, message: str) -> None:
    """Commit everything."""
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "--no-verify", "-m", message)


def run_git(folder: Path, *arguments: str) -> None:
    """Run git with an identity of its own. Raises ExecutionError."""
    identity = ("-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgsign=false")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(("git", *identity, *arguments), cwd=folder, env=environ, capture_output=True, check=False)
    except FileNotFoundError as problem:
        raise ExecutionError("the demo needs git", hint="install git") from problem
    if done.returncode != 0:
        raise ExecutionError(f"git {arguments[0]} failed: {done.stderr.decode(errors='replace').strip()}")


def _make_environment(folder: Path) -> None:
    """Make a virtual environment with the gate's own pytest, ruff and coverage, so that nothing is downloaded."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    packages = next(folder.glob("lib/python*/site-packages"))
    own = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (packages / "verigate_demo.pth").write_text("".join(f"{path}\n" for path in own), encoding="utf-8")
    for name in ("pytest", "coverage"):
        script = folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "${{0%/*}}/python" -m {name} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    ruff = Path(sysconfig.get_path("scripts")) / "ruff"
    if not ruff.is_file():
        found = shutil.which("ruff")
        if found is None:
            raise ExecutionError("ruff is missing", where="gate demo", hint=lack_of("code", ["ruff"]).command)
        ruff = Path(found)
    (folder / "bin" / "ruff").symlink_to(ruff)
