"""Compare stated names of files, folders, modules and symbols with the paths and symbols of a change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from verigate.domain.artifact import Artifact

_FILE_NAME = re.compile(
    r"[\w*]\.(?:py|pyi|[cm]?[jt]sx?|go|rs|java|kt|rb|php|cs|md|rst|toml|ya?ml|json|txt|cfg|ini|sh|html|css|lock|sql)$",
    re.IGNORECASE,
)


def is_path(wanted: str, path: str) -> bool:
    """Whether a path, or the end of it, is the wanted one; a suffix may be left out."""
    name = path.rpartition("/")[2]
    return path == wanted or path.endswith(f"/{wanted}") or wanted in {name, name.rpartition(".")[0]}


def is_file_name(name: str) -> bool:
    """Whether a name is that of a file by its suffix: that code mentions it says nothing of the file."""
    return _FILE_NAME.search(name) is not None


def is_symbol(name: str, qualified: str) -> bool:
    """Whether a qualified name, or the end of it, is the wanted one."""
    wanted, found = re.split(r"[.:#]+", name), re.split(r"[.:#]+", qualified)
    return found[-len(wanted) :] == wanted


def is_at(wanted: str, path: str, paths: Iterable[str]) -> bool:
    """Whether a path is the wanted file or module, or lies in the wanted folder or package; case is ignored.

    A stated folder that ``paths`` have at the root is that one: ``shop/y.py`` isn't ``old/shop/y.py`` then.
    """
    place = wanted.lower().removeprefix("./").strip("/")
    found = path.lower()
    spellings = [place]
    if "/" not in place and (module := "/".join(filter(None, re.split(r"\.|::", place)))) != place:
        spellings.append(module)
    for each in spellings:
        stem = found.rpartition(".")[0]
        if is_path(each, found) or f"/{stem}".endswith(f"/{each}") or f"/{each}/" in f"/{found}":
            return is_root_meant(each, found, paths)
    return False


def is_root_meant(wanted: str, path: str, paths: Iterable[str]) -> bool:
    """Whether a path that ends with the wanted one is it, though the folder may be at the root as well."""
    top = f"{wanted.rpartition('/')[0] or wanted}/".lower()
    return path.lower().startswith(top) or not any(other.lower().startswith(top) for other in paths)


def is_file(wanted: str, path: str, paths: Iterable[str]) -> bool:
    """Whether a path is the stated one, or ends with it where no other can be meant; case is ignored."""
    place = wanted.lower().removeprefix("./")
    return is_path(place, path.lower()) and ("/" not in place or is_root_meant(place, path, paths))


def list_paths(artifact: Artifact) -> list[str]:
    """List the paths of the changed files, before and after."""
    return [path for file in artifact.value["files"] for path in (file["from"], file["path"]) if path]


def is_known_place(wanted: str, paths: Iterable[str]) -> bool:
    """Whether a stated place is known: a folder, or a file by its suffix, or a path that changed."""
    suffix = re.search(r"\.\w+$", wanted.lower())
    every = list(paths)
    return wanted.endswith("/") or any(
        (suffix is not None and path.lower().endswith(suffix[0])) or is_at(wanted, path, every) for path in every
    )


def find_pairs(artifact: Artifact, name: str) -> list[tuple[int, dict[str, Any]]]:
    """List the functions and classes of a name that were moved or renamed, with their index."""
    return [
        (index, each) for index, each in enumerate(artifact.value.get("moved", ())) if is_symbol(name, each["from"])
    ]
