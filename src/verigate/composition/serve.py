"""Put the parts of ``gate serve`` together."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.errors import ConfigError, EvidenceError, UsageError
from verigate.serve.index.database import IndexFile
from verigate.serve.index.place import find_index_place
from verigate.serve.index.refresh import IndexRefresher
from verigate.serve.live.events import EventLog
from verigate.serve.live.watch import Watcher
from verigate.serve.repositories import add_pushed, find_repositories, name_repositories
from verigate.serve.web.access import TOKEN_VARIABLE
from verigate.serve.web.site import Site
from verigate.user_folders import UserFolders, is_inside

if TYPE_CHECKING:
    from verigate.domain.manifest import Manifest
    from verigate.serve.installed_adapters import InstalledAdapters
    from verigate.serve.pushed import PushedTasks
    from verigate.serve.repositories import ServedRepository
    from verigate.serve.web.access import Access

_OF_OTHER_CALLS = (TOKEN_VARIABLE, "GATE_TASK_ID")
"""Variables that the commands which the server starts must not have."""


class PushWanted(Struct, frozen=True):
    """How tasks are taken: signed by one of ``keys``, kept in ``folder``, at most ``quota`` bytes of them.

    Without a folder they are kept among the user's state. ``keys_ref`` names a ref of the one repository that is
    served, whose allowed signers count as well, as they are there when a task comes.
    """

    keys: tuple[Path, ...]
    folder: Path | None
    quota: int
    keys_ref: str | None = None


def make_site(
    access: Access,
    environ: Mapping[str, str],
    gate: Sequence[str],
    *,
    repository: Path | None,
    folders: Sequence[Path],
    rebuild: bool,
    push: PushWanted | None = None,
    adapters: Path | None = None,
) -> Site:
    """Make the site of one ``repository``, or of those at and below ``folders``; with ``push`` it takes tasks,
    and with ``adapters``, a folder, adapters.

    Without a place for the index that changes can't write, it lies in a temporary folder. Raises UsageError and
    ConfigError where pushed tasks or keys would lie where a change can write.
    """

    def find_own() -> tuple[ServedRepository, ...]:
        return name_repositories([repository]) if repository is not None else find_repositories(folders)

    pushed = None
    if push is not None:
        pushed = _open_pushed(push, environ, [each.root for each in find_own()], repository)

    def find() -> tuple[ServedRepository, ...]:
        return find_own() if pushed is None else add_pushed(find_own(), pushed.folder)

    found = find()
    place = find_index_place(environ, folders or [each.root for each in found], [each.root for each in found])
    clean = ExitStack()
    if place is None:
        folder = tempfile.mkdtemp(prefix="verigate-serve-")
        place = Path(folder, "index.sqlite")
        clean.callback(shutil.rmtree, folder, ignore_errors=True)
    index = IndexFile(place)
    if rebuild:
        index.remove()
    installed = _open_installed(adapters, environ, folders, find) if adapters is not None else None
    kept = {name: value for name, value in environ.items() if name not in _OF_OTHER_CALLS}
    if installed is not None:
        clean.callback(installed.close)
        path = [str(installed.folder), environ.get("GATE_ADAPTER_PATH", "")]
        kept["GATE_ADAPTER_PATH"] = os.pathsep.join(filter(None, path))
    events = EventLog()
    watchers: list[Watcher] = []
    refresher = IndexRefresher(index, kept, lambda: any(watcher.is_over for watcher in watchers))
    watchers.append(Watcher(refresher, events, find))
    return Site(access, kept, tuple(gate), events, refresher, watchers[0], pushed, installed, clean.close)


def _open_pushed(
    wanted: PushWanted, environ: Mapping[str, str], roots: Sequence[Path], repository: Path | None
) -> PushedTasks:
    from verigate.composition import now
    from verigate.composition.attestations import load_key_files
    from verigate.serve.pushed import PushedTasks

    place = str(wanted.folder.absolute()) if wanted.folder is not None else UserFolders(environ).state("pushed")
    if place is None:
        hint = "name a folder with --pushed"
        raise UsageError("there is no folder for what is pushed: HOME is not set", where="--keys", hint=hint)
    for path, option in ((place, "--pushed"), *((str(key), "--keys") for key in wanted.keys)):
        if any(is_inside(path, str(root)) for root in roots):
            hint = "take a place outside of what is served"
            raise UsageError("a change of that repository could write there", where=f"{option} {path}", hint=hint)
    if wanted.keys_ref is not None and repository is None:
        hint = "run `gate serve` in the repository, without --root, or name files with --keys"
        raise UsageError("several repositories may be served", where="--keys-ref", hint=hint)
    read_keys = partial(load_key_files, wanted.keys, environ, Path(place), repository=repository, ref=wanted.keys_ref)
    keys = read_keys()  # what can't be read is said now, and not when a task comes
    try:
        return PushedTasks(Path(place), keys if wanted.keys_ref is None else read_keys, now, wanted.quota)
    except OSError as problem:
        raise UsageError(f"pushed tasks can't be kept there: {problem.strerror}", where=place) from problem


def _open_installed(
    folder: Path,
    environ: Mapping[str, str],
    searched: Sequence[Path],
    find: Callable[[], Sequence[ServedRepository]],
) -> InstalledAdapters:
    from verigate.serve.installed_adapters import InstalledAdapters

    roots = [each.root for each in find()]
    if any(is_inside(str(folder), str(root)) for root in roots):
        hint = "take a place outside of what is served"
        raise UsageError("a change of that repository could write there", where=f"--adapters {folder}", hint=hint)
    if any(is_inside(str(root), str(folder)) for root in (*roots, *searched)):
        hint = "take a folder that holds nothing but adapters"
        raise UsageError("what is served lies in it", where=f"--adapters {folder}", hint=hint)
    place = folder.resolve()
    try:
        return InstalledAdapters(
            place,
            partial(_list_adapters, place, environ.get("GATE_ADAPTER_PATH", ""), find),
            partial(_list_configured, find),
        )
    except OSError as problem:
        raise UsageError(f"adapters can't be kept there: {problem.strerror}", where=str(folder)) from problem


def _list_configured(find: Callable[[], Sequence[ServedRepository]]) -> Iterator[tuple[str, str]]:
    """List the adapters that a served repository configures or grants something, each with the file that says so.

    Raises EvidenceError where that can't be known.
    """
    from verigate.config.adapters_config import load_adapters_config
    from verigate.config.builtin import find_builtin_root
    from verigate.config.sandbox_file import load_sandbox_layers

    for repository in find():
        if repository.pushed:
            continue
        try:
            for load in (load_adapters_config, load_sandbox_layers):
                layers = load(repository.root, find_builtin_root())
                yield from ((name, f"{layers.file} of {repository.name}") for name in layers.own)
        except ConfigError as problem:
            message = f"what {repository.root.name} configures can't be known, as a file of it can't be read"
            raise EvidenceError(message, where="adapters", hint="`gate plan` says why; fix that first") from problem


def _list_adapters(folder: Path, path: str, find: Callable[[], Sequence[ServedRepository]]) -> Iterator[Manifest]:
    """List what the commands of a server can find: what ships, what is installed, and what repositories have.

    Raises EvidenceError where that can't be known.
    """
    from verigate.composition.adapters import RepositoryAdapters
    from verigate.config.builtin import find_builtin_root
    from verigate.domain.adapter_package import PACKAGES_FILE

    environ = {"GATE_ADAPTER_PATH": os.pathsep.join(filter(None, [str(folder), path]))}
    adapters = RepositoryAdapters(str(find_builtin_root()), environ)
    # Of a repository without adapters nothing but what is found without one can be found.
    roots = [each.root for each in find() if not each.pushed]
    roots = [root for root in roots if any(os.path.lexists(root / name) for name in ("adapters", PACKAGES_FILE))]
    for root in (folder / "none", *roots):
        try:
            yield from adapters.discover(str(root)).manifests
        except ConfigError as problem:
            whose = root.name if root in roots else "this server"
            message = f"what adapters of {whose} are called can't be known, as some can't be read"
            raise EvidenceError(message, where="adapters", hint="`gate adapters` says why; fix that first") from problem
