"""Put the parts of ``gate serve`` together."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.serve.index.database import IndexFile
from verigate.serve.index.place import find_index_place
from verigate.serve.index.refresh import IndexRefresher
from verigate.serve.live.events import EventLog
from verigate.serve.live.watch import Watcher
from verigate.serve.repositories import find_repositories, name_repositories
from verigate.serve.web.access import TOKEN_VARIABLE
from verigate.serve.web.site import Site

if TYPE_CHECKING:
    from verigate.serve.repositories import ServedRepository
    from verigate.serve.web.access import Access

_OF_OTHER_CALLS = (TOKEN_VARIABLE, "GATE_TASK_ID")
"""Variables that the commands which the server starts must not have."""


def make_site(
    access: Access,
    environ: Mapping[str, str],
    gate: Sequence[str],
    *,
    repository: Path | None,
    folders: Sequence[Path],
    rebuild: bool,
) -> Site:
    """Make the site of one ``repository``, or of those at and below ``folders``.

    Without a place for the index that changes can't write, it lies in a temporary folder.
    """

    def find() -> tuple[ServedRepository, ...]:
        return name_repositories([repository]) if repository is not None else find_repositories(folders)

    found = find()
    place = find_index_place(environ, folders or [each.root for each in found], [each.root for each in found])
    clean: Callable[[], object] = str
    if place is None:
        folder = tempfile.mkdtemp(prefix="verigate-serve-")
        place, clean = Path(folder, "index.sqlite"), partial(shutil.rmtree, folder, ignore_errors=True)
    index = IndexFile(place)
    if rebuild:
        index.remove()
    kept = {name: value for name, value in environ.items() if name not in _OF_OTHER_CALLS}
    events = EventLog()
    watchers: list[Watcher] = []
    refresher = IndexRefresher(index, kept, lambda: any(watcher.is_over for watcher in watchers))
    watchers.append(Watcher(refresher, events, find))
    return Site(access, kept, tuple(gate), events, refresher, watchers[0], clean)
