"""Copies of the npm packages that a subject pins, made before anything has run: what is digested is what will run."""

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
    """The packages that a file of pins names; none for one that can't be used, which its reader complains about."""
    try:
        with open(file, "rb") as stream:
            document = loads(stream.read(_MAX_PINS_BYTES), max_bytes=_MAX_PINS_BYTES)
    except (OSError, StrictJsonError):
        return ()
    pins = document.get("npm") if isinstance(document, dict) else None
    return tuple(sorted(name for name in pins if PACKAGE_NAME.fullmatch(name))) if isinstance(pins, dict) else ()


def copy_packages(names: Iterable[str], source: str, target: str) -> None:
    """Copy each package of the folder ``source`` to ``<target>/<name>``; one that isn't there is left out.

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
            # What was copied stays, and is not what the pin says.
            continue


def _check_size(package: str, name: str) -> None:
    files = size = 0
    for parent, _, found in os.walk(package):
        for file in found:
            files += 1
            size += os.lstat(f"{parent}/{file}").st_size
        if files > _MAX_FILES or size > _MAX_BYTES:
            hint = "an adapter's package holds what the adapter needs and nothing else"
            raise SubjectError(f"npm package {name} is too large to be copied", where=package, hint=hint)
