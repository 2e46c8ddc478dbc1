"""bin/setup on a machine whose PATH has no Python: uv, a stand-in here, is asked for one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "bin" / "setup"
TOOLS = ("sh", "dirname", "flock", "ln", "mkdir", "rm", "rmdir", "sleep", "touch")
MAKES_ONE = f'[ "$1" = pip ] || {{ mkdir -p .venv/bin && ln -s "{sys.executable}" .venv/bin/python; }}'


def run_setup(folder: Path, uv: str | None) -> subprocess.CompletedProcess[str]:
    tools = folder / "tools"
    tools.mkdir()
    for name in TOOLS:
        program = shutil.which(name)
        assert program is not None
        (tools / name).symlink_to(program)
    if uv is not None:
        (tools / "uv").write_text(f'#!/bin/sh\necho "$*" >>uv.log\n{uv}\n')
        (tools / "uv").chmod(0o755)
    (folder / "bin").mkdir()
    shutil.copy(SETUP, folder / "bin")
    shutil.copy(SETUP.parents[1] / "pyproject.toml", folder)
    return subprocess.run(
        ["sh", "bin/setup"],
        cwd=folder,
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_uv_makes_the_environment_and_installs(tmp_path: Path) -> None:
    done = run_setup(tmp_path, MAKES_ONE)
    assert (done.returncode, done.stderr) == (
        0,
        "setup: preparing .venv (once): this takes a few minutes\nsetup: done\n",
    )
    made, installed = (tmp_path / "uv.log").read_text().splitlines()
    assert made == f"venv --quiet --python >=3.11,<3.15 {tmp_path / '.venv'}"
    python = tmp_path / ".venv/bin/python"
    assert installed.startswith(f"pip install --quiet --compile-bytecode --python {python} --editable")
    assert (tmp_path / ".venv/.verigate-installed").exists()


def test_a_uv_that_gets_no_python_is_told_apart_from_no_uv(tmp_path: Path) -> None:
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    failed = run_setup(tmp_path / "with", "echo no network >&2; exit 2")
    assert failed.returncode != 0
    assert failed.stderr.splitlines()[1:] == [
        "no network",
        "setup: no python3 >= 3.11 on PATH, and uv found and fetched none (see above); install one",
    ]
    nothing = run_setup(tmp_path / "without", None)
    assert nothing.returncode != 0
    assert nothing.stderr.endswith("install one, or uv (https://docs.astral.sh/uv/)\n")
