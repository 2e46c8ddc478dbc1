"""Build what packages of a project name as their entry and git ignores: developers have it built, a checkout hasn't.

The user's own outputs aren't taken: they may be older than the subject, and whoever wrote the change can write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_commands import run_command
from code_adapter.testing.node_workspaces import is_workspace, join_path, list_packages, read_package
from verigate.sdk import Request, ToolRun
from verigate.sdk.npm_scripts import OtherCommand

_SOURCES = ("src/", "source/", "lib/", "test/")
_MOST = 500
_SCRIPTS = ("build", "prepare")
"""The script that builds, by its usual name or as what npm calls after an installation."""

_OUTPUTS = frozenset({"build", "cjs", "dist", "esm", "out", "output", "umd"})
"""Names of folders that are built, where a package lists them among its files."""

_OF_HOOKS = re.compile(r"\b(?:husky|simple-git-hooks|lefthook|lint-staged|is-ci|yorkie|ghooks)\b")


def find_unbuilt(request: Request, files: SubjectFiles, folder: str) -> tuple[str, ...]:
    """Return the packages with a build script above ``folder`` or in its workspace whose entry isn't there."""
    root = _find_root(files, folder)
    inner = list_packages(files, root) if is_workspace(files, root) else ()
    places = dict.fromkeys((root, folder, *inner[:_MOST]))
    built_at_root = _has_build(files, root)
    return tuple(
        place for place in places if (built_at_root or _has_build(files, place)) and _lacks_entry(request, files, place)
    )


def build_outputs(request: Request, files: SubjectFiles, folder: str, unbuilt: tuple[str, ...]) -> ToolRun | None:
    """Run the root's build script, else those of the ``unbuilt`` packages, each after those that it depends on.

    Return the first run that failed, None if all succeeded.
    """
    root = _find_root(files, folder)
    places = (root,) if _has_build(files, root) else tuple(_sort(files, unbuilt))
    for place in places:
        run = run_command(request, files, place, OtherCommand(("npm", "run", _find_build(files, place) or "build")))
        if run.exit_code != 0:
            return run
    return None


def _find_root(files: SubjectFiles, folder: str) -> str:
    """Return the outermost folder around ``folder`` with a package.json."""
    parts = folder.split("/") if folder else []
    above = ["/".join(parts[:count]) for count in range(len(parts) + 1)]
    return next((place for place in above if join_path(place, "package.json") in files.known), folder)


def _has_build(files: SubjectFiles, place: str) -> bool:
    return _find_build(files, place) is not None


def _find_build(files: SubjectFiles, place: str) -> str | None:
    scripts = read_package(files, place).get("scripts")
    texts = {name: scripts.get(name) for name in _SCRIPTS} if isinstance(scripts, Mapping) else {}
    return next((name for name, text in texts.items() if isinstance(text, str) and not _OF_HOOKS.search(text)), None)


def _lacks_entry(request: Request, files: SubjectFiles, place: str) -> bool:
    for entry in _list_entries(read_package(files, place)):
        plain = entry.removeprefix("./")
        if plain.startswith((*_SOURCES, "../", "/")) or "*" in plain or not plain:
            continue
        path = request.repo_root / join_path(place, plain)
        if not any(_exists(Path(f"{path}{more}")) for more in ("", ".js", ".cjs", ".mjs")):
            return True
    return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True


def _list_entries(package: Mapping[str, object]) -> Iterator[str]:
    for name in ("main", "module", "types", "typings", "exports", "bin"):
        yield from _list_texts(package.get(name), 0)
    listed = package.get("files")
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, str) and entry.removeprefix("./").rstrip("/") in _OUTPUTS:
            yield entry


def _list_texts(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and depth < 8:
        for inner in value.values():
            yield from _list_texts(inner, depth + 1)


def _sort(files: SubjectFiles, places: tuple[str, ...]) -> Iterator[str]:
    """Yield the packages with a build script, each after the others of ``places`` that it depends on."""
    names = {str(read_package(files, place).get("name", "")): place for place in places}
    seen: set[str] = set()

    def visit(place: str) -> Iterator[str]:
        if place in seen:
            return
        seen.add(place)
        package = read_package(files, place)
        for kind in ("dependencies", "devDependencies", "peerDependencies"):
            table = package.get(kind)
            for name in table if isinstance(table, Mapping) else ():
                if name in names:
                    yield from visit(names[name])
        if _has_build(files, place):
            yield place

    for place in places:
        yield from visit(place)
