"""Find files of pipelines and Makefiles that others take in by name.

Source: GitLab, "CI/CD YAML syntax reference" (include:local); GNU make, "Including Other Makefiles".
"""

from __future__ import annotations

import contextlib
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from code_adapter.integrity.tools.documents import Unreadable, load_yaml

ReadFile = Callable[[str], bytes | None]
_GITLAB = re.compile(r"\.gitlab-ci\.ya?ml")
_MAKEFILE = re.compile(r"(?:.*/)?(?:GNUmakefile|[Mm]akefile|[\w.-]+\.mk)")
_INCLUDE = re.compile(r"^[-s]?include[ \t]+([^#\n]+)", re.MULTILINE)
_MOST_FILES = 60
_MOST_BYTES = 200_000


def find_included_jobs(paths: Iterable[str], read_file: ReadFile) -> frozenset[str]:
    """Find the files of ``paths`` that GitLab's pipeline takes in, those that these take in included."""
    return _follow([path for path in paths if _GITLAB.fullmatch(path)], frozenset(paths), read_file, _list_local)


def find_included_makefiles(paths: Iterable[str], read_file: ReadFile) -> frozenset[str]:
    """Find the files of ``paths`` that Makefiles take in by a literal name."""
    return _follow([path for path in paths if _MAKEFILE.fullmatch(path)], frozenset(paths), read_file, _list_makefiles)


def _follow(
    tops: list[str], known: frozenset[str], read_file: ReadFile, listed: Callable[[str, str], Iterable[str]]
) -> frozenset[str]:
    left, found = tops[:_MOST_FILES], set[str]()
    while left and len(found) < _MOST_FILES:
        path = left.pop()
        content = read_file(path)
        if content is None or len(content) > _MOST_BYTES:
            continue
        for pattern in listed(path, content.decode("utf-8", "replace")):
            new = {each for each in known if fnmatchcase(each, pattern)} - found
            found |= new
            left += sorted(new)
    return frozenset(found)


def _list_local(_path: str, source: str) -> Iterator[str]:
    with contextlib.suppress(Unreadable):
        document = load_yaml(source)
        included: Any = document.get("include") if isinstance(document, dict) else None
        for each in included if isinstance(included, list) else [included]:
            name = each.get("local") if isinstance(each, dict) else each
            if isinstance(name, str) and "://" not in name:
                yield name.lstrip("/").removeprefix("./")


def _list_makefiles(path: str, source: str) -> Iterator[str]:
    for match in _INCLUDE.finditer(source):
        for name in match[1].split():
            if "$" not in name:
                yield name.removeprefix("./")
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
