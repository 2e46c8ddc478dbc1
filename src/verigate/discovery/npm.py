"""Adapters in npm packages: found by the key ``verigate`` of their package.json, without executing anything.

``{"verigate": {"adapter": "FOLDER"}}`` names the folder, inside the package, that holds the manifest.json. Only
packages that config/adapter-packages.json pins become shelves; of the others that the repository's own package.json
names, the first level of ``node_modules`` is looked at, and never anything below.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verigate.discovery.bounded import MAX_MANIFEST_BYTES, read_bounded
from verigate.discovery.package_digest import package_digest
from verigate.discovery.search_path import Shelf
from verigate.domain.adapter_package import INSTALLED, PACKAGE_NAME, PACKAGES_FILE, locate_copies
from verigate.domain.manifest import Origin
from verigate.errors import ConfigError, Fault, brief
from verigate.formats.strict_json import StrictJsonError, loads

KEY = "verigate"
_MARK = b'"verigate"'
_DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies")


def pinned_shelves(pins: Mapping[str, str], policy_root: str, stands: str | None) -> tuple[Shelf, ...]:
    """A shelf for each pinned package, by name.

    ``stands`` is the repository's own path where ``policy_root`` is a copy; the copies of packages are read then.
    Raises ConfigError with every package that isn't there, isn't what the pin says, or has no adapter: what it would
    judge must not fall to somebody else.
    """
    packages = f"{policy_root}/{INSTALLED}" if stands is None else locate_copies(policy_root)
    found: list[Shelf] = []
    faults: list[Fault] = []
    for name, pin in sorted(pins.items()):
        try:
            folder = _pinned(f"{packages}/{name}", pin)
        except ValueError as problem:
            hint = "see what has changed in the package before you pin it anew" if "digest" in str(problem) else None
            faults.append(Fault(f"npm package {name}: {problem}", PACKAGES_FILE, f"/npm/{_escaped(name)}", hint=hint))
            continue
        place = f"{INSTALLED}/{name}" + (f"/{folder}" if folder != "." else "")
        found.append(
            Shelf(
                posixpath.normpath(f"{packages}/{name}/{folder}"),
                Origin.NPM,
                is_adapter=True,
                stands=f"{policy_root if stands is None else stands}/{place}",
                name=place,
            )
        )
    if faults:
        raise ConfigError(faults)
    return tuple(found)


def unpinned(root: str, pins: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each package that the repository depends on, that offers an adapter and isn't pinned."""
    for name in _dependencies(root):
        folder = f"{root}/{INSTALLED}/{name}"
        if name in pins or (content := _mentions(f"{folder}/package.json")) is None:
            continue
        try:
            if KEY not in _document(content):
                continue
            _adapter_folder(folder, content)
            digest = package_digest(folder)
        except ValueError as problem:
            yield f"npm package {name} can't be used for adapters: {brief(str(problem))}"
            continue
        yield (
            f"npm package {name} offers an adapter and isn't pinned, so nothing of it runs; to let it judge, write "
            f'{{"npm": {{"{name}": "{digest}"}}}} into {PACKAGES_FILE}'
        )


def _pinned(package: str, pin: str) -> str:
    """The adapter's folder in a package that is what its pin says. Raises ValueError with what is wrong."""
    if not Path(package).is_dir():
        raise ValueError(f"it is pinned and isn't installed in {INSTALLED}; `npm ci` installs what is locked")
    content = _mentions(f"{package}/package.json")
    if content is None:
        raise ValueError(f"its package.json has no key {KEY!r}")
    folder = _adapter_folder(package, content)
    digest = package_digest(package)
    if digest != pin:
        raise ValueError(f"its files have the digest {digest}, which is not the one that is pinned")
    return folder


def _adapter_folder(package: str, content: bytes) -> str:
    value = _document(content).get(KEY)
    folder = value.get("adapter") if isinstance(value, dict) else None
    if not isinstance(folder, str) or not folder:
        raise ValueError(f'its key {KEY!r} is not of the form {{"adapter": "FOLDER"}}')
    inside = posixpath.normpath(folder)
    if inside.startswith(("/", "..")) or "\0" in inside:
        raise ValueError(f"its adapter {folder!r} leads out of the package")
    if not os.path.lexists(f"{package}/{inside}/manifest.json"):
        raise ValueError(f"its adapter {folder!r} holds no manifest.json")
    return inside


def _document(content: bytes) -> Mapping[str, Any]:
    try:
        value = loads(content, max_bytes=MAX_MANIFEST_BYTES)
    except StrictJsonError as problem:
        raise ValueError(f"its package.json can't be read: {problem}") from None
    if not isinstance(value, dict):
        raise ValueError("its package.json is not an object")  # noqa: TRY004 - what is wrong with a file, not a call
    return value


def _mentions(path: str) -> bytes | None:
    """The bytes of a package.json with the key's name in it: most packages have none, and needn't be parsed."""
    try:
        content = read_bounded(path)
    except OSError:
        return None
    return content if _MARK in content else None


def _dependencies(root: str) -> list[str]:
    try:
        document = _document(read_bounded(f"{root}/package.json"))
    except (OSError, ValueError):
        return []
    groups = [group for kind in _DEPENDENCIES if isinstance(group := document.get(kind), dict)]
    return sorted({name for group in groups for name in group if PACKAGE_NAME.fullmatch(name)})


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
