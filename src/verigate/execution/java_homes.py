"""Maven's settings and Gradle's home in a sandbox: without secrets, and writable where the tools have to write."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.ports import Mount
from verigate.processes.environment import is_secret_name

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

GRADLE_PROJECTS = ("settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts")

_SETTINGS = ".m2/settings.xml"
_KEPT_SETTINGS = frozenset({"localRepository", "pluginGroups", "mirrors", "profiles", "activeProfiles"})
_USER_INFO = re.compile(r"//[^/\s@]*@")
_SHARED = ("wrapper", "jdks", "init.d", "init.gradle", "init.gradle.kts", "caches/modules-2/files-2.1")
_LARGEST_METADATA = 300_000_000


def plan_maven_settings(environ: Mapping[str, str], copy: str) -> Iterator[Mount]:
    """Show the user's settings without servers, proxies and properties that look like secrets.

    ``copy`` is the path of the file that is written. Maven refuses an empty one, which is what masks secrets elsewhere.
    Source: https://maven.apache.org/settings.html.
    """
    settings = Path(environ.get("HOME") or "/", _SETTINGS)
    if settings.is_file():
        Path(copy).write_bytes(strip_settings(settings))
        yield Mount(copy, os.path.realpath(settings), read_only=True)


def copy_maven_settings(environ: Mapping[str, str], home: str) -> None:
    """Write the same to the private home of a call, where nothing can be mounted: its Maven gets the path."""
    settings = Path(environ.get("HOME") or "/", _SETTINGS)
    if settings.is_file():
        copy = Path(home, _SETTINGS)
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        copy.write_bytes(strip_settings(settings))


def strip_settings(settings: Path) -> bytes:
    """Return the settings without secrets; empty ones where the file can't be read."""
    from xml.etree import ElementTree as ET

    try:
        # The user's own file, and expat limits what entities may grow to.
        root = ET.parse(settings).getroot()  # noqa: S314
    except (OSError, ET.ParseError):
        return b"<settings/>"
    for child in list(root):
        if _name(child) not in _KEPT_SETTINGS:
            root.remove(child)
    _strip(root)
    return ET.tostring(root)


def _strip(element: Element) -> None:
    element.text = _USER_INFO.sub("//", element.text) if element.text else element.text
    for child in list(element):
        if is_secret_name(re.sub(r"[.-]", "_", _name(child))):
            element.remove(child)
        else:
            _strip(child)


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def plan_gradle_home(env: Mapping[str, str], private: str) -> Iterator[Mount]:
    """Plan the mounts that let Gradle write below its home: what it downloaded is read-only, its notes are copied.

    ``private`` is the path of a folder that is made. Nothing where there is no home.
    """
    home = os.path.realpath(env.get("GRADLE_USER_HOME") or "/")
    if home == "/" or not Path(home).is_dir():
        return
    notes = Path(private, "caches/modules-2")
    notes.mkdir(parents=True, mode=0o700, exist_ok=True)
    for folder in sorted(Path(home, "caches/modules-2").glob("metadata-*")):
        if sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) <= _LARGEST_METADATA:
            shutil.copytree(folder, notes / folder.name, dirs_exist_ok=True)
    properties = Path(home, "gradle.properties")
    if properties.is_file():
        Path(private, "gradle.properties").write_text(
            strip_properties(properties.read_text("utf-8", "replace")), "utf-8"
        )
    yield Mount(private, home, read_only=False)
    for name in _SHARED:
        if Path(home, name).exists():
            yield Mount(f"{home}/{name}", f"{home}/{name}", read_only=True)


def strip_properties(text: str) -> str:
    """Return properties without those whose names look like secrets, and without users in addresses."""
    kept = []
    for line in re.sub(r"\\\r?\n[ \t]*", "", text).splitlines():
        key = re.split(r"[=:\s]", line.strip(), maxsplit=1)[0]
        words = re.sub(r"(?<=[a-z])(?=[A-Z])|[.-]", "_", key)
        if not is_secret_name(words):
            kept.append(_USER_INFO.sub("//", line))
    return "\n".join(kept) + "\n"
