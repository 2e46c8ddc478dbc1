"""A virtual environment with what this one has, but for plug-ins that every start of pytest would load.

The projects that tests verify have none of these: hypothesis alone takes longer to import than all that such a project
does. It is made once for all tests, beside the npm packages: that place is seen in sandboxes, too. Its files are hard
links, not symbolic ones: coverage.py follows those, and would measure pytest as if it were part of the project.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from npm_tools import cache_folder

HERE = Path(sys.prefix)


def site_packages(environment: Path) -> Path:
    """Where a virtual environment of this Python keeps its packages."""
    return environment / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


@cache
def lean_environment() -> Path:
    """Its folder; another one after anything was installed."""
    names = sorted(path.name for path in site_packages(HERE).iterdir())
    digest = hashlib.sha256(repr((sys.version, str(HERE), names)).encode()).hexdigest()[:16]
    folder = cache_folder() / f"lean-files-{digest}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=".lean-", dir=folder.parent))
        make_environment(part)
        _link_packages(site_packages(part), [site_packages(HERE) / name for name in names])
        try:
            part.rename(folder)
        except OSError:  # somebody else's is there by now
            shutil.rmtree(part)
    return folder


def lean_python() -> str:
    """Its interpreter."""
    return str(lean_environment() / "bin" / "python")


def make_lean(environment: Path) -> None:
    """Let a sample project, whose environment shows the packages of this one, see those of the lean one instead."""
    (place,) = site_packages(environment).glob("verigate_demo.pth")
    place.write_text(f"{site_packages(lean_environment())}\n")


def make_environment(folder: Path) -> None:
    """A virtual environment in ``folder`` with Python and ruff, and no packages yet."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python").symlink_to(Path(sys.executable).resolve())
    ruff = folder / "bin/ruff"
    ruff.write_text(f'#!/bin/sh\nexec "{HERE}/bin/ruff" "$@"\n')
    ruff.chmod(0o755)
    shutil.copyfile(HERE / "pyvenv.cfg", folder / "pyvenv.cfg")
    site_packages(folder).parent.mkdir(parents=True)


def _link_packages(place: Path, installed: list[Path]) -> None:
    place.mkdir()
    left_out = {name for path in installed for name in _of_plugin(path / "entry_points.txt")}
    for path in installed:
        if path.name in left_out or path.suffix == ".pth":
            continue
        if path.is_dir():
            shutil.copytree(path, place / path.name, copy_function=_link)
        else:
            _link(str(path), str(place / path.name))


def _link(source: str, target: str) -> None:
    """A hard link, or a copy where the cache lies on another disk."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _of_plugin(entry_points: Path) -> set[str]:
    """What a plug-in of pytest has put into the folder; empty for other distributions, and for pytest-cov."""
    if not entry_points.is_file() or "[pytest11]" not in (text := entry_points.read_text()) or "pytest_cov" in text:
        return set()
    return {line.partition("/")[0] for line in (entry_points.parent / "RECORD").read_text().splitlines()}
