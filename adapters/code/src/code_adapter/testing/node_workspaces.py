"""Find the packages of a workspace of npm, yarn, pnpm or lerna."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence

from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from verigate.sdk.npm_scripts import WorkspaceCall


def read_package(files: SubjectFiles, folder: str) -> dict[str, object]:
    """Read package.json of ``folder``; empty if it is missing. Raises AdapterError for invalid JSON."""
    return files.json(join_path(folder, "package.json"))


def join_path(folder: str, name: str) -> str:
    """Join paths of the subject; "" is the root."""
    return f"{folder}/{name}" if folder else name


def is_workspace(files: SubjectFiles, folder: str) -> bool:
    """Whether ``folder`` is the root of a workspace."""
    declares = "workspaces" in read_package(files, folder)
    return declares or any(join_path(folder, name) in files.known for name in ("pnpm-workspace.yaml", "lerna.json"))


def list_packages(files: SubjectFiles, folder: str) -> tuple[str, ...]:
    """List the folders of the workspace's packages; without readable patterns every package below ``folder``."""
    found = [
        path.rpartition("/")[0]
        for path in files.below(folder)
        if path.endswith("/package.json") and path != join_path(folder, "package.json")
    ]
    found = [place for place in found if "node_modules" not in place.split("/")]
    cut = len(folder) + 1 if folder else 0
    patterns = _read_patterns(files, folder)
    if patterns:
        return tuple(sorted(place for place in found if _is_selected(place[cut:], patterns)))
    return tuple(sorted(place for place in found if not NOT_PROJECTS.intersection(place.split("/"))))


def select_packages(files: SubjectFiles, folder: str, call: WorkspaceCall) -> Iterator[str]:
    """Yield the packages that ``call`` names, by name or path; all if a filter needs more than files."""
    wanted = [word.removeprefix("...").removesuffix("...").strip("{}^") for word in call.only]
    dropped = [word[1:] for word in wanted if word.startswith("!")]
    kept = [word for word in wanted if word and not word.startswith("!")]
    readable = not any("[" in word for word in kept)
    for place in (*list_packages(files, folder), *_list_named(files, folder, kept)):
        own = place[len(folder) + 1 :] if folder else place
        names = (str(read_package(files, place).get("name", "")), own, own.rpartition("/")[2])
        if any(_names(names, word) for word in dropped):
            continue
        if not kept or not readable or any(_names(names, word) for word in kept):
            yield place


def _list_named(files: SubjectFiles, folder: str, words: Sequence[str]) -> tuple[str, ...]:
    """List the folders with a package.json that ``words`` name and no pattern of the workspace has."""
    known = set(list_packages(files, folder))
    named = dict.fromkeys(join_path(folder, word.removeprefix("./").rstrip("/")) for word in words)
    return tuple(place for place in named if place not in known and f"{place}/package.json" in files.known)


def _names(names: Sequence[str], word: str) -> bool:
    plain = word.removeprefix("./").rstrip("/")
    return any(name and fnmatch.fnmatchcase(name, plain) for name in names)


def _read_patterns(files: SubjectFiles, folder: str) -> tuple[str, ...]:
    declared = read_package(files, folder).get("workspaces")
    listed: object = declared.get("packages") if isinstance(declared, dict) else declared
    pnpm = join_path(folder, "pnpm-workspace.yaml")
    if pnpm in files.known:
        listed = _read_yaml_list(files.text(pnpm))
    if listed is None:
        listed = files.json(join_path(folder, "lerna.json")).get("packages")
    return tuple(word for word in listed if isinstance(word, str)) if isinstance(listed, list) else ()


def _read_yaml_list(text: str) -> object:
    import yaml  # workspaces of pnpm alone need it

    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        return None
    return document.get("packages") if isinstance(document, dict) else None


def _is_selected(place: str, patterns: Sequence[str]) -> bool:
    kept = any(_matches(place, word) for word in patterns if not word.startswith("!"))
    return kept and not any(_matches(place, word[1:]) for word in patterns if word.startswith("!"))


def _matches(place: str, pattern: str) -> bool:
    return _match_parts(place.split("/"), pattern.removeprefix("./").strip("/").split("/"))


def _match_parts(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_match_parts(parts[start:], pattern[1:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], pattern[0]) and _match_parts(parts[1:], pattern[1:])
