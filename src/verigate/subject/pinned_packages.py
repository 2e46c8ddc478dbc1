"""Copy the npm packages that a subject pins before anything runs, so that the digested bytes are the ones that run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable

from verigate.domain.adapter_package import PACKAGE_NAME
from verigate.errors import SubjectError
from verigate.formats.strict_json import StrictJsonError, loads

_MAX_PINS_BYTES = 4 * 1024 * 1024
_MAX_FILES = 20_000
_MAX_BYTES = 128 * 1024 * 1024


def read_pinned_names(file: str) -> tuple[str, ...]:
    """Read the package names of a file of pins; none if it can't be used, which its own reader reports."""
    try:
        with open(file, "rb") as stream:
            document = loads(stream.read(_MAX_PINS_BYTES), max_bytes=_MAX_PINS_BYTES)
    except (OSError, StrictJsonError):
        return ()
    pins = document.get("npm") if isinstance(document, dict) else None
    return tuple(sorted(name for name in pins if PACKAGE_NAME.fullmatch(name))) if isinstance(pins, dict) else ()


def copy_packages(names: Iterable[str], source: str, target: str) -> None:
    """Copy each package of the folder ``source`` to ``<target>/<name>``; skip one that isn't there.

    What can't be copied as it is (a device, an unreadable file) is left out as well, and then the digest differs.
    Raises SubjectError for a package that is too large to be an adapter.
    """
    for name in names:
        package = os.path.realpath(f"{source}/{name}")
        if not os.path.isdir(package):
            continue
        _check_size(package, name)
        try:
            shutil.copytree(package, f"{target}/{name}", symlinks=True, copy_function=shutil.copy)
        except (shutil.Error, OSError):
            # The incomplete copy stays, and doesn't match its pin.
            continue


def _check_size(package: str, name: str) -> None:
    files = size = 0
    for parent, _, found in os.walk(package):
        for file in found:
            files += 1
            size += os.lstat(f"{parent}/{file}").st_size
        if files > _MAX_FILES or size > _MAX_BYTES:
            hint = "keep only what the adapter needs in its package"
            raise SubjectError(f"npm package {name} is too large to copy", where=package, hint=hint)
