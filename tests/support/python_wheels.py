"""The wheels that an installation of this checkout needs, fetched once into a folder that all tests share.

Else pip asks its index about each package, one after the other, also for what it has in its cache: most of the time
that an installation takes, and a net that has to be there.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from npm_tools import cache_folder

ROOT = Path(__file__).resolve().parents[2]
_EXTRAS = ("api", "code", "content", "do", "links")
"""Those that a test or a page installs."""
_EDITABLE = "editables~=0.3"
"""What hatchling asks for besides, to install a checkout that can be edited."""


def from_wheels(python: str = sys.executable) -> dict[str, str]:
    """Variables by which pip and uv install this checkout from those wheels alone, for a Python like ``python``."""
    asked = "import sys; print('{}.{}'.format(*sys.version_info))"
    version = subprocess.run((python, "-I", "-c", asked), check=True, capture_output=True, text=True).stdout.strip()
    wheels = str(_fetched(version))
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels, "UV_OFFLINE": "1", "UV_FIND_LINKS": wheels}


def _fetched(version: str) -> Path:
    """The folder of wheels for this version of Python; pip fetches them on the first call."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lock = ROOT / "requirements-dev.lock"
    optional = (line for extra in _EXTRAS for line in project["project"]["optional-dependencies"][extra])
    wanted = sorted({*project["project"]["dependencies"], *optional, *project["build-system"]["requires"], _EDITABLE})
    told = "\0".join((version, *wanted)).encode() + lock.read_bytes()
    folder = cache_folder() / f"wheels-{hashlib.sha256(told).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not (folder / ".fetched").exists():
            shutil.rmtree(folder / "wheels", ignore_errors=True)
            options = ("--quiet", "--python-version", version, "--only-binary", ":all:", "--constraint", lock)
            argv = (sys.executable, "-m", "pip", "download", *options, "--dest", folder / "wheels", *wanted)
            subprocess.run(argv, cwd=folder, check=True, stdin=subprocess.DEVNULL, timeout=600)
            (folder / ".fetched").touch()
    return folder / "wheels"


if __name__ == "__main__":
    sys.stdout.write(f"{_fetched('{}.{}'.format(*sys.version_info))}\n")
