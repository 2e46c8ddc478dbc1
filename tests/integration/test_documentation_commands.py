"""The commands of the README and of docs/, run in order on real repositories, with what the pages say they print."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import document_console as console
import document_parts as parts
import pytest
from lean_environment import make_lean
from python_wheels import from_wheels
from release_tests import some_always

from verigate.integrations import sample

PAGES = {str(page.path.relative_to(parts.ROOT)): page for page in map(console.read_page, parts.pages()) if page.start}

READ_FIRST = {"README.md", "docs/first-verdict.md"}
"""The first pages, of which each command is always run."""

pytestmark = pytest.mark.slow


def place(page: console.Page, folder: Path) -> tuple[Path, Mapping[str, str], Path]:
    """The folder, the environment and the scratch folder that the commands of ``page`` get."""
    here, programs, scratch = folder / "shop", folder / "bin", folder / "scratch"
    for made in (here, programs, scratch):
        made.mkdir()
    if page.start == "shop":
        build(here)
    elif page.start == "clone":
        copy_checkout(folder / "origin")
        (here / "my-project").mkdir()
        build(here / "my-project")
    for name, module in (("gate", "verigate"), ("gate-ci", "verigate.integrations.ci")):
        launcher = programs / name
        launcher.write_text(f"#!/bin/sh\nexec '{sys.executable}' -I -m {module} \"$@\"\n")
        launcher.chmod(0o755)
    # bin/setup takes a third of the time with it; what a page installs with pip is installed with pip.
    (programs / "uv").symlink_to(Path(sys.executable).with_name("uv"))
    identity = folder / "gitconfig"
    identity.write_text("[user]\nname = A Person\nemail = person@example.org\n[init]\ndefaultBranch = main\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "GIT_", "VIRTUAL_ENV"))}
    environ = kept | {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": str(identity),
        "GIT_CONFIG_NOSYSTEM": "1",
        "XDG_STATE_HOME": str(folder / "state"),
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "VERIGATE": str(folder / "origin"),
        # What pip installs on a page is started once or twice. (pip's negative options take a falsy value.)
        "PIP_NO_COMPILE": "0",
        **(from_wheels(shutil.which("python3") or sys.executable) if page.start == "clone" else {}),
    }
    return here, environ, scratch


def build(folder: Path) -> None:
    """The sample project, with tools that start as fast as those of a user."""
    sample.build_repository(folder, with_node=True)
    make_lean(folder / ".venv")


def copy_checkout(target: Path) -> None:
    """A repository with the files of this checkout as they are now, from which a page can clone."""
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        cwd=parts.ROOT, check=True, capture_output=True,
    )  # fmt: skip
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        if (source := parts.ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name, follow_symlinks=False)
    sample.run_git(target, "init", "--quiet", "--initial-branch=main")
    sample.commit_all(target, "As it is")


@pytest.mark.parametrize("name", some_always(PAGES, str, READ_FIRST.__contains__, one_in=4))
def test_the_commands_of_a_page_do_what_it_says(name: str, tmp_path: Path) -> None:
    page = PAGES[name]
    ran = console.run_page(page, *place(page, tmp_path))
    faults = console.faults(page, ran)
    assert not faults, "\n\n".join(faults)
    assert ran, f"{name} names a start and has no command"


def test_the_pages_that_must_be_run_are_run() -> None:
    told = ("first-verdict", "agents", "files", "adapters", "ci", "git-hooks", "operators", "reports")
    assert {"README.md", *(f"docs/{name}.md" for name in told)} <= set(PAGES)
    without_start = [
        page.path.name
        for page in map(console.read_page, parts.pages())
        if page.start is None and any(isinstance(step, console.Command) for step in page.steps)
    ]
    assert not without_start, "these pages have commands that nothing runs"
