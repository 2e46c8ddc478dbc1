"""Read the transcripts of this machine's agents, and look at the folders that they name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from verigate.config.files import read_bytes
from verigate.config.root import find_surrounding_root
from verigate.config.which_task import list_task_ids
from verigate.domain.agent_history import PastSession, RepositoryToday
from verigate.domain.task_folder import CLAIM_FILE
from verigate.errors import GateError, UsageError
from verigate.evidence.store import task_folder
from verigate.formats.near_names import suggest_name
from verigate.integrations.transcripts import SOURCES
from verigate.integrations.transcripts.files import parse
from verigate.integrations.transcripts.source import Reading
from verigate.usecases.replay import read_genuine
from verigate.user_folders import is_inside

_MOST_TASKS = 5000


class Surroundings:
    """What is there today of the folders that transcripts name. A folder is looked at once; nothing in it is run."""

    def __init__(self) -> None:
        self._roots: dict[str, Path | None] = {}
        self._verdicts: dict[Path, list[tuple[str, tuple[str, ...]]]] = {}

    def describe(self, folder: str) -> RepositoryToday:
        """Say whether a folder exists, in which repository it is, and which intact verdicts that has."""
        root = self._find_root(folder)
        if root is None:
            return RepositoryToday(folder, exists=_is_folder(folder))
        counts = Counter(status for status, _ in self._read(root))
        return RepositoryToday(folder, True, str(root), tuple(sorted(counts.items())))

    def find_verdict(self, folder: str, statements: Sequence[str]) -> str:
        """Find the status of an intact verdict on a claim with exactly these statements; empty without one."""
        root = self._find_root(folder) if statements else None
        wanted = tuple(statements)
        return next((status for status, said in self._read(root) if said == wanted), "") if root is not None else ""

    def _find_root(self, folder: str) -> Path | None:
        if folder not in self._roots:
            self._roots[folder] = find_surrounding_root(Path(folder)) if _is_folder(folder) else None
        return self._roots[folder]

    def _read(self, root: Path) -> list[tuple[str, tuple[str, ...]]]:
        if root not in self._verdicts:
            self._verdicts[root] = list(_read_verdicts(root))
        return self._verdicts[root]


def read_sessions(
    home: Path, environ: Mapping[str, str], hosts: Sequence[str], reading: Reading, below: Path | None
) -> Iterator[PastSession]:
    """Read the sessions of the hosts (none named: of all), each when it is asked for; the oldest of a host first.

    ``below``: only of those that worked in this folder. Raises UsageError for an unknown host.
    """
    for name in hosts or SOURCES:
        if name not in SOURCES:
            raise UsageError(
                f"no transcripts of {name!r} can be read", where="--host", hint=suggest_name(name, list(SOURCES))
            )
    for name in dict.fromkeys(hosts or SOURCES):
        for path in SOURCES[name].find(home, environ):
            try:
                session = SOURCES[name].read(path, reading)
            except OSError:
                reading.files += 1
                continue
            if below is None or (session.folder and is_inside(session.folder, str(below))):
                yield session


def is_file_present(path: str) -> bool:
    """Whether there is something at a path that a transcript names."""
    return path.startswith("/") and "\0" not in path and os.path.lexists(path)


def _is_folder(folder: str) -> bool:
    return folder.startswith("/") and "\0" not in folder and Path(folder).is_dir()


def _read_verdicts(root: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the status of each task with an intact verdict, and the statements of its claim."""
    for task_id in list_task_ids(root)[:_MOST_TASKS]:
        folder = task_folder(root, task_id)
        try:
            status = str(read_genuine(root, folder).verdict["status"])
            content = read_bytes(folder / CLAIM_FILE, shown=CLAIM_FILE)
        except (GateError, KeyError, ValueError):
            continue
        document = parse(content) if content is not None else None
        claim = document.get("claim") if isinstance(document, dict) else None
        said = claim.get("statements") if isinstance(claim, dict) else None
        yield status, tuple(map(str, said)) if isinstance(said, list) else ()
