"""Make a project's environment with real programs: what is installed here, under the environment's own Python."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from code_repo import CodeRepo
    from gated_repository import GatedRepository

STARTS = {
    "mypy": "from mypy.__main__ import console_entry as start",
    "flake8": "from flake8.main.cli import main as start",
    "pyright": "from pyright.cli import entrypoint as start",
}


def add_environment(repo: CodeRepo | GatedRepository, *programs: str) -> None:
    """Make the project's environment with real programs: what is installed here, under its own Python."""
    place = repo.root / ".venv"
    subprocess.run((sys.executable, "-m", "venv", "--without-pip", place), check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    (packages / "here.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for name in programs:
        write_program(repo, name, f"#!{place}/bin/python\nimport sys\n{STARTS[name]}\nsys.exit(start())\n")


def write_program(repo: CodeRepo | GatedRepository, name: str, text: str) -> None:
    program = repo.root / ".venv" / "bin" / name
    program.write_text(text)
    program.chmod(0o755)
