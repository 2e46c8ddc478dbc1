"""Find adapters in npm packages by the key ``verigate`` of their package.json, without executing anything.

``{"verigate": {"adapter": "FOLDER"}}`` names the folder in the package that contains the manifest.json. Only packages
pinned in config/adapter-packages.json become locations. For warnings about others, only the dependencies named in the
repository's package.json are looked up, in the first level of ``node_modules``.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.discovery.bounded_read import MAX_MANIFEST_BYTES, read_bounded
from verigate.discovery.package_digest import package_digest
from verigate.discovery.search_path import SearchLocation
from verigate.domain.adapter_package import INSTALLED, PACKAGE_NAME, PACKAGES_FILE, locate_copies
from verigate.domain.manifest import Origin
from verigate.errors import ConfigError, Fault, shorten
from verigate.formats.strict_json import StrictJsonError, loads

KEY = "verigate"
_MARK = b'"verigate"'
_DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies")


def load_pinned_locations(
    pins: Mapping[str, str], policy_root: str, repository_root: str | None
) -> tuple[SearchLocation, ...]:
    """A location for each pinned package, by name.

    If ``policy_root`` is a copy, ``repository_root`` is the repository itself, and the copies of packages are read.
    Raises ConfigError with every package that is missing, differs from its pin, or has no adapter: another adapter must
    not take over its capabilities.
    """
    packages = f"{policy_root}/{INSTALLED}" if repository_root is None else locate_copies(policy_root)
    found: list[SearchLocation] = []
    faults: list[Fault] = []
    for name, pin in sorted(pins.items()):
        try:
            folder = _check_pin(f"{packages}/{name}", pin)
        except ValueError as problem:
            hint = (
                "review what has changed in the package before you pin it again" if "digest" in str(problem) else None
            )
            faults.append(
                Fault(f"npm package {name}: {problem}", PACKAGES_FILE, f"/npm/{_escape_pointer(name)}", hint=hint)
            )
            continue
        place = f"{INSTALLED}/{name}" + (f"/{folder}" if folder != "." else "")
        found.append(
            SearchLocation(
                posixpath.normpath(f"{packages}/{name}/{folder}"),
                Origin.NPM,
                is_adapter=True,
                real_folder=f"{policy_root if repository_root is None else repository_root}/{place}",
                name=place,
            )
        )
    if faults:
        raise ConfigError(faults)
    return tuple(found)


def warn_unpinned(root: str, pins: Mapping[str, str]) -> Iterator[str]:
    """Yield a warning for each dependency of the repository that offers an adapter and isn't pinned."""
    for name in _list_dependencies(root):
        folder = f"{root}/{INSTALLED}/{name}"
        if name in pins or (content := _read_if_mentioned(f"{folder}/package.json")) is None:
            continue
        try:
            if KEY not in _parse_package(content):
                continue
            _adapter_folder(folder, content)
            digest = package_digest(folder)
        except ValueError as problem:
            yield f"npm package {name} can't be used for adapters: {shorten(str(problem))}"
            continue
        yield (
            f"npm package {name} offers an adapter but isn't pinned, so it doesn't run; to use it, add "
            f'{{"npm": {{"{name}": "{digest}"}}}} to {PACKAGES_FILE}'
        )


def _check_pin(package: str, pin: str) -> str:
    """Check a package against its pin and return the adapter's folder. Raises ValueError."""
    if not Path(package).is_dir():
        raise ValueError(f"it is pinned but isn't installed in {INSTALLED}; run `npm ci`")
    content = _read_if_mentioned(f"{package}/package.json")
    if content is None:
        raise ValueError(f"its package.json has no key {KEY!r}")
    folder = _adapter_folder(package, content)
    digest = package_digest(package)
    if digest != pin:
        raise ValueError(f"its files have the digest {digest}, which differs from the pinned one")
    return folder


def _adapter_folder(package: str, content: bytes) -> str:
    value = _parse_package(content).get(KEY)
    folder = value.get("adapter") if isinstance(value, dict) else None
    if not isinstance(folder, str) or not folder:
        raise ValueError(f'its key {KEY!r} is not of the form {{"adapter": "FOLDER"}}')
    inside = posixpath.normpath(folder)
    if inside.startswith(("/", "..")) or "\0" in inside:
        raise ValueError(f"its adapter {folder!r} leads out of the package")
    if not os.path.lexists(f"{package}/{inside}/manifest.json"):
        raise ValueError(f"its adapter {folder!r} has no manifest.json")
    return inside


def _parse_package(content: bytes) -> Mapping[str, Any]:
    try:
        value = loads(content, max_bytes=MAX_MANIFEST_BYTES)
    except StrictJsonError as problem:
        raise ValueError(f"its package.json can't be read: {problem}") from None
    if not isinstance(value, dict):
        raise ValueError("its package.json is not an object")  # noqa: TRY004 - what is wrong with a file, not a call
    return value


def _read_if_mentioned(path: str) -> bytes | None:
    """Read a package.json if it contains the key at all: most packages don't and needn't be parsed."""
    try:
        content = read_bounded(path)
    except OSError:
        return None
    return content if _MARK in content else None


def _list_dependencies(root: str) -> list[str]:
    try:
        document = _parse_package(read_bounded(f"{root}/package.json"))
    except (OSError, ValueError):
        return []
    groups = [group for kind in _DEPENDENCIES if isinstance(group := document.get(kind), dict)]
    return sorted({name for group in groups for name in group if PACKAGE_NAME.fullmatch(name)})


def _escape_pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
