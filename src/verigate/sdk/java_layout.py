"""Find the tests of Maven and Gradle projects: below ``src/test``, or where their build files say.

Maven: ``testSourceDirectory``, which modules inherit, each below its own folder:
https://maven.apache.org/pom.html#Directories. Gradle: the source directories of the source set ``test``:
https://docs.gradle.org/current/userguide/building_java_projects.html#sec:custom_java_source_set_paths
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts")
_DEFAULT = "/src/test/"
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OF_MAVEN = re.compile(r"<testSourceDirectory>\s*([^<>\s][^<>]*?)\s*</testSourceDirectory>")
_OF_GRADLE = re.compile(r"\btest\b(?:(?!\bmain\b)[^\"'])*?\b(?:setS|s)rcDirs?\b([^\n]*)")
_QUOTED = re.compile(r"[\"']([^\"'$]+)[\"']")
_BASE = re.compile(r"\A\$\{(?:project\.)?basedir\}/|\A\./")
_PATTERN = frozenset("${}*?\n")


@dataclass(frozen=True, slots=True)
class TestFolders:
    """Folders of tests. ``declared`` maps those that build files name, with a final slash, to their module."""

    __test__ = False

    declared: Mapping[str, str] = field(default_factory=dict)

    def find(self, path: str) -> tuple[str, str] | None:
        """Return the module of a test source ("" is the root), and the path below its folder; None for other files.

        The folder of ``src/test`` is that of the language, such as ``src/test/java``.
        """
        module, default, rest = f"/{path}".partition(_DEFAULT)
        if default:
            return module.lstrip("/"), rest.partition("/")[2]
        named = (folder for folder in self.declared if path.startswith(folder))
        folder = max(named, key=len, default=None)
        return None if folder is None else (self.declared[folder], path.removeprefix(folder))


def find_test_folders(paths: Iterable[str], read: Callable[[str], str]) -> TestFolders:
    """Find the folders of tests of one project, whose files are ``paths``; ``read`` returns the text of one."""
    builds = [path for path in paths if path.rpartition("/")[2] in BUILD_FILES]
    declared: dict[str, str] = {}
    inherited = {name for path in builds if path.endswith(".xml") for name in _list_of_maven(read(path))}
    for path in builds:
        module = path.rpartition("/")[0]
        for name in inherited if path.endswith(".xml") else _list_of_gradle(read(path)):
            folder = posixpath.normpath(posixpath.join(module, name))
            if not folder.startswith(("../", "/")) and folder not in {".", "..", module}:
                declared[f"{folder}/"] = module
    return TestFolders(declared)


def _list_of_maven(text: str) -> Iterator[str]:
    for found in _OF_MAVEN.findall(_COMMENT.sub("", text)):
        yield from _plain(found)


def _list_of_gradle(text: str) -> Iterator[str]:
    for found in _OF_GRADLE.findall(text):
        for name in _QUOTED.findall(found):
            yield from _plain(name)


def _plain(name: str) -> Iterator[str]:
    """Yield a path without the project's own folder; nothing for one that only the build can make out."""
    path = _BASE.sub("", name)
    if not _PATTERN.intersection(path):
        yield path
