"""List the files of a project that are installed as a copy; started with the project's Python.

Usage: python -I installed_files.py FOLDER NAME   FOLDER holds the project, NAME may be empty.
Prints {"site": folder, "files": [paths relative to it]}, or {} where there is no copy. Where an editable installation
or a path in the environment leads to another checkout, {"elsewhere": its path, "roots": [folders in it that are
imported from, relative to it]}.
Sources: PEP 376 (RECORD), PEP 610 (direct_url.json).
"""

# This file must run on Pythons that pathlib's newer methods are not in:
# ruff: noqa: PTH113, PTH118, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import csv
import json
import os
import re
import sys

_LAYOUTS = ("src", "lib", "")
"""Folders of a project that its modules may be in."""
_NO_MODULES = frozenset(
    {"benchmarks", "conftest", "doc", "docs", "examples", "manage", "noxfile", "scripts", "setup", "tasks", "tests"}
    | {"tools", "versioneer"}
)
"""Names at the top of many projects that nobody means to install."""
_MARKS = ("pyproject.toml", "setup.py", "setup.cfg")
_MOST_MODULES = 50


def normalise(name: str) -> str:
    """Make names comparable (PEP 503)."""
    return re.sub("[-_.]+", "_", name).lower()


def read_origin(folder: str) -> tuple[str, bool]:
    """Return the path that a distribution was installed from, "" if unknown, and whether it is editable."""
    try:
        from urllib.parse import unquote, urlsplit

        with open(os.path.join(folder, "direct_url.json"), encoding="utf-8") as stream:
            document = json.load(stream)
        url = urlsplit(document["url"])
        path = unquote(url.path) if url.scheme == "file" else ""
        return path, bool((document.get("dir_info") or {}).get("editable"))
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return "", False


def list_files(folder: str) -> list[str]:
    """List what RECORD names below the folder of packages, without metadata and bytecode."""
    return [
        path
        for path in list_names(folder)
        if not path.startswith(("..", "/", "__editable__"))
        and not path.endswith((".pyc", ".pth"))
        and not path.partition("/")[0].endswith((".dist-info", ".data"))
    ]


def list_roots(site: str, folder: str, origin: str) -> list[str]:
    """List the folders below ``origin`` that an editable installation imports from, relative to it, "" is itself.

    Its ``.pth`` file names them, or a finder that setuptools writes names the packages in them.
    """
    found = set()
    for name in list_names(folder):
        if name.startswith(("..", "/")) or not (name.endswith(".pth") or name.startswith("__editable__")):
            continue
        try:
            with open(os.path.join(site, name), encoding="utf-8") as stream:
                text = stream.read(1000000)
        except (OSError, ValueError):
            continue
        if name.endswith(".pth"):
            found |= {line.strip() for line in text.splitlines() if line.startswith("/")}
        else:
            found |= {os.path.dirname(path) for path in re.findall(r"[\"'](/[^\"'\n]+)[\"']", text)}
    places = [os.path.relpath(os.path.realpath(path), os.path.realpath(origin)) for path in sorted(found)]
    return ["" if place == "." else place for place in places if not place.startswith("..")]


def list_names(folder: str) -> list[str]:
    """List what RECORD names."""
    try:
        with open(os.path.join(folder, "RECORD"), encoding="utf-8", newline="") as stream:
            return [row[0] for row in csv.reader(stream) if row]
    except (OSError, ValueError, csv.Error):
        return []


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    real, above = os.path.realpath(path), os.path.realpath(folder)
    return bool(path) and (real == above or real.startswith(above.rstrip("/") + "/"))


def find_copy(project: str, name: str) -> dict[str, object]:
    """Find the copy of the project in ``project``, named ``name``, that an import would find first."""
    wanted = normalise(name)
    for site in sys.path:
        try:
            entries = sorted(entry for entry in os.listdir(site) if entry.endswith(".dist-info"))
        except OSError:
            continue
        for entry in entries:
            folder = os.path.join(site, entry)
            path, editable = read_origin(folder)
            ours = is_within(path, project)
            if ours or (wanted and normalise(entry.partition("-")[0]) == wanted):
                if not editable:
                    return {"site": site, "files": list_files(folder)}
                if is_within(path, project):
                    return {}
                return {"elsewhere": path, "roots": list_roots(site, folder, path)}
    return {}


def find_elsewhere(project: str) -> dict[str, object]:
    """Find another checkout of the project that an import leads to, whatever installed it.

    That is a module in the same place of another folder; at the top, of one that is installed by a file of the same
    name. Nothing is imported.
    """
    from importlib.util import find_spec

    for layout in _LAYOUTS:
        for path in list_modules(os.path.join(project, layout)):
            name = os.path.basename(os.path.dirname(path) if path.endswith("__init__.py") else path[: -len(".py")])
            try:
                found = os.path.realpath(getattr(find_spec(name), "origin", None) or "")
            except (ImportError, AttributeError, TypeError, ValueError):
                continue
            within = os.sep + os.path.relpath(path, project)
            if found == os.path.realpath(path):
                return {}
            other = found[: -len(within)]
            if found.endswith(within) and (layout or is_like(other, project)):
                return {"elsewhere": other, "roots": [layout]}
    return {}


def list_modules(folder: str) -> list[str]:
    """List the files of the modules and packages in a folder."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    named = [name for name in names if name.partition(".")[0] not in _NO_MODULES and not name.startswith("test")]
    paths = [os.path.join(folder, name) for name in named]
    files = [path if path.endswith(".py") else os.path.join(path, "__init__.py") for path in paths]
    return [path for path in files if os.path.isfile(path)][:_MOST_MODULES]


def is_like(other: str, project: str) -> bool:
    """Whether a folder has a file that says how a project is installed, which ``project`` has as well."""
    return any(all(os.path.isfile(os.path.join(place, name)) for place in (other, project)) for name in _MARKS)


if __name__ == "__main__":
    copy = find_copy(sys.argv[1], sys.argv[2])
    sys.stdout.write(
        "\n" + json.dumps(copy if copy.get("files") or "elsewhere" in copy else find_elsewhere(sys.argv[1]))
    )
