"""Find claimed paths that are in neither base nor work: mostly misspelt ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from verigate.config.task_files import read_commitment
from verigate.domain.task import UnitKind, parse_unit
from verigate.domain.task_folder import COMMITMENT_FILE
from verigate.errors import GateError
from verigate.evidence.store import task_folder
from verigate.formats.near_names import find_near
from verigate.subject.git import Git, is_git


def describe_unknown_paths(
    root: Path, environ: Mapping[str, str], task_id: str, units: Sequence[str]
) -> tuple[str, ...]:
    """Return a warning for each claimed path that is neither in the work nor in the base, with the nearest one.

    What may name something else, such as a function, is warned about only if a path is near.
    """
    missing = [(unit, path) for unit, path in _list_paths(units) if not os.path.lexists(root / path)]
    if not missing:
        return ()
    known = _list_known(root, environ, task_id)
    return tuple(filter(None, (_describe(unit, path, known) for unit, path in missing if path not in known)))


def _list_paths(units: Iterable[str]) -> Iterator[tuple[str, str]]:
    """List the units that name a path, or may, with that path."""
    for text in units:
        try:
            unit = parse_unit(text, lambda _: True)
        except ValueError:
            continue  # verification reports it
        path = unit.key.partition("::")[0] if unit.kind is UnitKind.FIX else unit.key
        if unit.kind in {UnitKind.FILE, UnitKind.FIX} and (_is_file(text) or "/" in path):
            yield text, path


def _is_file(unit: str) -> bool:
    """Whether a unit says that it is a file."""
    return unit.strip().lower().startswith("file:")


def _list_known(root: Path, environ: Mapping[str, str], task_id: str) -> frozenset[str]:
    """List the paths of the working tree that git doesn't ignore, and those of the task's base."""
    if not is_git(root):
        return frozenset()
    try:
        base = read_commitment(task_folder(root, task_id) / COMMITMENT_FILE, task_id, root).commitment.base or "HEAD"
        git = Git.from_root(str(root), environ)
    except GateError:
        return frozenset()
    asked = (
        ("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        ("ls-tree", "-r", "-z", "--name-only", "--end-of-options", base),
    )
    return frozenset(
        os.fsdecode(name) for command in asked for name in git.attempt(*command).stdout.split(b"\0") if name
    )


def _describe(unit: str, path: str, known: Iterable[str]) -> str:
    near = _find_near(path, known)
    if near:
        return f"{unit}: no such path in work or base; did you mean {near[0]}?"
    return f"{unit}: no such path in work or base" if _is_file(unit) else ""


def _find_near(path: str, known: Iterable[str]) -> list[str]:
    """Find the nearest of the paths that have the same name or the same folder."""
    asked = PurePosixPath(path)
    return find_near(path, [each for each in known if _is_next_to(PurePosixPath(each), asked)], 1)


def _is_next_to(one: PurePosixPath, other: PurePosixPath) -> bool:
    return one.name == other.name or one.parent == other.parent
