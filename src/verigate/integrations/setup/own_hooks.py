"""Read how the hooks of ``.pre-commit-config.yaml`` call ruff and flake8: on which files, with which arguments.

A hook chooses files by regular expressions, a call by folders and exclusions; one that can't be said so isn't read.
The file is hostile text: sizes are bounded, and nothing is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from verigate.integrations.setup.linter_words import EVERYTHING, NamedCall, read_arguments
from verigate.integrations.setup.repository_scan import Scan
from verigate.sdk.yaml_documents import load_documents
from verigate.subject.git_query import read_git_lines

FILE = ".pre-commit-config.yaml"
_HOOKS = {"ruff": "ruff", "ruff-check": "ruff", "flake8": "flake8"}
_SUFFIXES = {"ruff": (".py", ".pyi", ".ipynb"), "flake8": (".py",)}
_UNREAD = ("types", "types_or", "exclude_types", "entry", "pass_filenames", "language")
"""Keys of a hook that choose other files or another command."""

_MAX_FILES = 5000
_MAX_PATTERN = 300
_MAX_EXCLUDED = 50
_MAX_PLACES = 10
_SPECIAL = re.compile(r"[*?\[\]{},\\\s\"]")


def read_hooks(seen: Scan) -> Iterator[NamedCall]:
    """Yield the calls that the hooks are."""
    for document in _load(seen):
        repositories = document.get("repos")
        for repository in repositories if isinstance(repositories, list) else ():
            hooks = repository.get("hooks") if isinstance(repository, dict) else None
            for hook in hooks if isinstance(hooks, list) else ():
                if isinstance(hook, dict) and isinstance(hook.get("id"), str) and hook["id"] in _HOOKS:
                    yield from _read_hook(seen, document, hook)


def _load(seen: Scan) -> Iterator[Mapping[str, Any]]:
    try:
        yield from (each for each in load_documents(seen.read_text(FILE)) if isinstance(each, dict))
    except ValueError:
        return


def _read_hook(seen: Scan, document: Mapping[str, Any], hook: Mapping[str, Any]) -> Iterator[NamedCall]:
    tool, source = _HOOKS[hook["id"]], f"{FILE}, hook {hook['id']}"
    stages, words = hook.get("stages"), hook.get("args", [])
    if isinstance(stages, list) and stages and all(each == "manual" for each in stages):
        return
    if any(key in hook for key in _UNREAD) or not isinstance(words, list):
        yield NamedCall(tool, None, source)
        return
    places = _choose_places(seen, tool, [document, hook])
    for arguments in read_arguments(seen, tool, [str(word) for word in words]):
        yield NamedCall(tool, _join(arguments, places), source)


def _join(arguments: tuple[str, ...] | None, places: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Join the options of a hook, which names no files itself, with what it is called with."""
    if arguments is None or places is None:
        return None
    options = [word for word in arguments if word != EVERYTHING]
    doubled = any(each.startswith("--extend-exclude") for each in options)
    if not all(word.startswith("-") for word in options) or (doubled and places[0].startswith("-")):
        return None
    return () if not options and places == (EVERYTHING,) else (*options, *places)


def _choose_places(seen: Scan, tool: str, tables: Sequence[Mapping[str, Any]]) -> tuple[str, ...] | None:
    """Say the files of a hook as arguments; None if they can't be said, or if there are none."""
    paths = [path for path in _list_tracked(seen) if path.endswith(_SUFFIXES[tool])]
    if not paths or len(paths) > _MAX_FILES:
        return None
    chosen = frozenset(paths)
    for table in tables:
        for key, wanted in (("files", True), ("exclude", False)):
            pattern = _compile(table.get(key, ""))
            if pattern is None:
                return None
            if pattern.pattern:
                chosen &= {path for path in paths if (pattern.search(path) is not None) is wanted}
    if len(chosen) == len(paths):
        return (EVERYTHING,)
    if any(table.get("files") for table in tables):
        return _cover(paths, chosen)
    return _exclude([path for path in paths if path not in chosen])


def _list_tracked(seen: Scan) -> tuple[str, ...]:
    return read_git_lines(seen.root, os.environ, "-c", "core.quotePath=true", "ls-files", "--cached")


def _compile(text: object) -> re.Pattern[str] | None:
    if not isinstance(text, str) or len(text) > _MAX_PATTERN:
        return None
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return None


def _exclude(left: Sequence[str]) -> tuple[str, ...] | None:
    """Exclude files by their paths. Without a slash a pattern would be a name in any folder."""
    if len(left) > _MAX_EXCLUDED or any(map(_SPECIAL.search, left)):
        return None
    return (f"--extend-exclude={','.join(path if '/' in path else f'./{path}' for path in left)}", EVERYTHING)


def _cover(paths: Iterable[str], chosen: frozenset[str]) -> tuple[str, ...] | None:
    """Find the topmost folders, and files, that hold exactly the ``chosen`` paths; None for none or too many."""
    mixed = {folder for path in paths if path not in chosen for folder in _list_folders(path)}
    found = {next((each for each in _list_folders(path) if each not in mixed), path) for path in chosen}
    if not 0 < len(found) <= _MAX_PLACES or any(_SPECIAL.search(path) or path[0] in "-@" for path in found):
        return None
    return tuple(sorted(found))


def _list_folders(path: str) -> list[str]:
    """List the folders that hold a path, topmost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
