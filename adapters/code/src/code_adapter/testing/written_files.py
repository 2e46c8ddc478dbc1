"""The files of the subject that tests are to see: all, or those that the tests of affected packages need.

In a large repository the gate leaves it to the call to write them. A package that is neither affected nor needed by
one that is stays unwritten but for what says which packages there are. A test that reads it nevertheless fails.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from code_adapter.packages.graph import PackageGraph
from code_adapter.packages.manifest_tree import MANIFESTS, UnclearPackagesError
from code_adapter.packages.path_needs import is_settings
from code_adapter.subject_files import SubjectFiles, find_subject_files
from code_adapter.syntax.changes import read_blobs
from code_adapter.testing.impact.affected import ASKED, AffectedPackages, read_affected
from code_adapter.testing.suites import Suite
from verigate.sdk import Request, path_text
from verigate.sdk.subject import (
    SUBMODULE,
    IndexListing,
    Repository,
    find_repository,
    is_on_demand,
    is_regular,
    list_index,
    list_paths,
    write_files,
)

_CARGO = "Cargo.toml"
_ATTRIBUTES = ".gitattributes"
_ENCODED = b"working-tree-encoding"
"""The attribute by which git writes a file in another encoding than its object has."""

_REGULAR = "100"
_BELOW = ("/", "0")
"""Paths in a folder lie between these, the first of which stands before the second."""


@dataclass(frozen=True)
class WrittenFiles:
    """The files that are written, and the packages that a change affects, where that is asked for.

    ``left_out`` is whether files of the subject aren't written; ``listing`` are then all of them.
    """

    files: SubjectFiles
    affected: AffectedPackages | None
    left_out: bool = False
    listing: IndexListing | None = None

    def suffice(self, suites: Sequence[Suite]) -> bool:
        """Whether these suites need none of what is left out: each is of one package, and runs nothing else."""
        if self.affected is None:
            return not self.left_out
        find_owner = self.affected.graph.find_owner
        return all(suite.stands_alone and find_owner(suite.folder) is not None for suite in suites)


def write_all(request: Request) -> WrittenFiles:
    """Write every file. Raises ToolFailed if git can't."""
    if is_on_demand(request):
        write_files(request, list_paths(request, find_repository(request)))
    files = find_subject_files(request)
    return WrittenFiles(files, read_affected(request, files))


def write_needed(request: Request) -> WrittenFiles:
    """Write the files that the tests of this call may need. Raises ToolFailed if git can't."""
    repository = find_repository(request) if is_on_demand(request) and request.rules.get("tests") == ASKED else None
    if repository is None:
        return write_all(request)
    listing = list_index(repository)
    first = _list_of_packages(listing.paths)
    affected = _read_unwritten(request, repository, listing, first)
    if affected is None or affected.why:
        return write_all(request)
    # Cargo reads the sources of every member of a workspace, also of those that it doesn't build.
    of_cargo = {folder for folder in affected.graph.needs if folder and listing.find(f"{folder}/{_CARGO}")}
    needed = affected.graph.find_needed(affected.chosen | of_cargo)
    wanted = {*_leave_out(listing, affected.graph, needed), *first}
    ordered = list(compress(listing.paths, map(wanted.__contains__, listing.paths)))
    write_files(request, ordered)
    files = _list_written(request, ordered)
    left_out = len(ordered) < len(listing)
    return WrittenFiles(files, replace(affected, change=replace(affected.change, files=files)), left_out, listing)


def _list_of_packages(paths: Sequence[str]) -> list[str]:
    """List what says which packages there are, and how they are built and tested."""
    # Most names occur in many folders.
    names = [path.rpartition("/")[2] for path in paths]
    wanted = {name for name in set(names) if name in MANIFESTS or is_settings(name)}
    return list(compress(paths, map(wanted.__contains__, names)))


def _read_unwritten(
    request: Request, repository: Repository, listing: IndexListing, paths: Sequence[str]
) -> AffectedPackages | None:
    """Read the packages from the objects of their manifests, which are no files yet.

    They are written first where the file may differ from its object.
    """
    entries = {path: entry for path in paths if (entry := listing.find(path)) is not None}
    regular = [path for path, entry in entries.items() if entry.mode.startswith(_REGULAR)]
    found = map(listing.find, listing.list_named(_ATTRIBUTES))
    attributes = [entry.oid for entry in found if entry is not None and entry.mode != SUBMODULE]
    blobs = read_blobs(repository, {*attributes, *(entries[path].oid for path in regular)})
    links = {path: entry.oid for path in listing.links if (entry := listing.find(path)) is not None}
    if any(isinstance(blob := blobs[oid], int) or _ENCODED in blob for oid in attributes):
        write_files(request, paths)
        return read_affected(request, _list_written(request, paths), links=links)

    def read(path: str) -> bytes:
        blob = blobs[entries[path].oid]
        if isinstance(blob, int):
            raise UnclearPackagesError(f"{path_text(path)} is too large")
        return blob

    return read_affected(request, SubjectFiles(request.repo_root, tuple(regular)), read=read, links=links)


def _leave_out(listing: IndexListing, graph: PackageGraph, needed: Container[str]) -> Iterator[str]:
    """Leave out the paths of packages that aren't ``needed``; of nested packages the innermost counts."""
    paths = listing.paths
    if not listing.is_text:
        owners = ((path, graph.find_owner(path)) for path in paths)
        return (path for path, owner in owners if owner is None or owner in needed)
    kept = bytearray(b"\1") * len(paths)
    for folder in sorted(filter(None, graph.needs), key=len):
        start = bisect_left(paths, folder)
        if start < len(paths) and paths[start] == folder:
            kept[start] = folder in needed
        start, end = (bisect_left(paths, folder + after) for after in _BELOW)
        kept[start:end] = bytes([folder in needed]) * (end - start)
    return compress(paths, kept)


def _list_written(request: Request, paths: Iterable[str]) -> SubjectFiles:
    root = request.repo_root
    return SubjectFiles(root, tuple(path for path in paths if is_regular(root, path)))
