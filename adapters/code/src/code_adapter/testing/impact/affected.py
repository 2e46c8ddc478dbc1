"""Which packages of the repository a change affects: those that it touches, and those that need them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from code_adapter.packages.graph import PackageGraph, add_needs, read_graph, unite
from code_adapter.packages.manifest_tree import MANIFESTS, ManifestTree, UnclearPackagesError
from code_adapter.packages.path_needs import read_link_needs, read_path_needs
from code_adapter.subject_files import SubjectFiles
from code_adapter.syntax.changes import read_blobs
from code_adapter.testing.impact.change import Change, Selected
from verigate.sdk import Request, clean_text, path_text
from verigate.sdk.subject import (
    MAX_TEXT_BYTES,
    Repository,
    UnreadableFileError,
    list_index,
    open_repository,
    read_changes,
    read_file,
    resolve_base,
)
from verigate.sdk.subject import Change as ChangedFile

ASKED = "affected"


@dataclass(frozen=True)
class AffectedPackages:
    """The packages of base and subject that ``change`` affects, by their folders; ``why`` it may be all of them."""

    change: Change
    graph: PackageGraph
    chosen: frozenset[str]
    why: str = ""

    def affects(self, path: str) -> bool:
        """Whether the package that ``path`` is in, or is, is affected; what is in none is."""
        owner = self.graph.find_owner(path)
        return bool(self.why) or owner is None or owner in self.chosen

    def describe(self, *, left_out: bool) -> Selected:
        """Describe what was selected; all, if no suite was ``left_out`` in whole or in part."""
        number = len(self.graph.needs)
        if self.why or not left_out:
            why = clean_text(self.why or "each suite has tests of affected packages, or of none")
            return Selected("the repository", "", "packages", max(number, 1), max(number, 1), why, by=ASKED)
        paths = frozenset(path for path in self.change.files.paths if self.affects(path))
        return Selected("the repository", "", "packages", len(self.chosen), number, "", paths, ("",), ASKED)


def read_affected(
    request: Request,
    files: SubjectFiles,
    *,
    read: Callable[[str], bytes] | None = None,
    links: Mapping[str, str] | None = None,
) -> AffectedPackages | None:
    """Read which packages the change affects, where that is asked for; None where all tests are to run.

    The packages of the base count as well as the subject's, and what one of both says that they need. ``read`` returns
    the content of one of the ``files`` where these aren't written, and ``links`` are the object ids of the subject's
    symbolic links where the caller has listed them. Raises ToolFailed if git can't list the change.
    """
    if request.rules.get("tests") != ASKED or not request.gated:
        return None
    with open_repository(request) as repository:
        changes = read_changes(repository, resolve_base(request, repository))
        paths = frozenset(path for each in changes for path in (each.source, each.path) if path is not None)
        change = Change(files, paths)
        try:
            tree = ManifestTree(files.paths, read or partial(_read, request))
            graph = _read_both(tree, repository, changes, links)
            return AffectedPackages(change, graph, graph.find_affected(paths))
        except UnclearPackagesError as error:
            return AffectedPackages(change, PackageGraph({}, {}), frozenset(), str(error))


def _read_both(
    tree: ManifestTree, repository: Repository, changes: Sequence[ChangedFile], links: Mapping[str, str] | None
) -> PackageGraph:
    graph = read_graph(tree)
    if base := _read_base(tree, repository, changes):
        graph = unite(graph, read_graph(base))
    if not graph.needs:
        raise UnclearPackagesError("no workspace or module says which packages there are")
    graph = add_needs(graph, read_path_needs(tree, graph))
    return add_needs(graph, read_link_needs(_read_links(repository, links), graph))


def _read(request: Request, path: str) -> bytes:
    try:
        return read_file(request.repo_root, path, MAX_TEXT_BYTES)
    except UnreadableFileError as error:
        raise UnclearPackagesError(str(error)) from None


def _read_base(tree: ManifestTree, repository: Repository, changes: Sequence[ChangedFile]) -> ManifestTree | None:
    """Make the tree of the base from the subject's and the change; None if no manifest differs."""
    before: dict[str, str] = {}
    gone: set[str] = set()
    for each in changes:
        if _is_manifest(each.path):
            gone.add(each.path)
        source = each.source or each.path
        if _is_manifest(source) and each.modes[0].startswith("100"):
            before[source] = each.oids[0]
    if not before and not gone:
        return None
    blobs = read_blobs(repository, before.values())

    def read(path: str) -> bytes:
        if path not in before:
            return tree.read(path)
        blob = blobs[before[path]]
        if isinstance(blob, int):
            raise UnclearPackagesError(f"{path_text(path)} of the base is too large")
        return blob

    return ManifestTree(frozenset({*_list_manifests(tree)} - gone | {*before}), read)


def _is_manifest(path: str) -> bool:
    return path.rpartition("/")[2] in MANIFESTS


def _list_manifests(tree: ManifestTree) -> Iterable[str]:
    return (path for paths in tree.by_name.values() for path in paths)


def _read_links(repository: Repository, listed: Mapping[str, str] | None) -> Mapping[str, str]:
    """Read the targets of the subject's symbolic links, by their paths."""
    if listed is None:
        listing = list_index(repository)
        listed = {path: entry.oid for path in listing.links if (entry := listing.find(path)) is not None}
    blobs = read_blobs(repository, listed.values())
    found: dict[str, str] = {}
    for path, oid in listed.items():
        blob = blobs[oid]
        if isinstance(blob, int):
            raise UnclearPackagesError(f"{path_text(path)}: the link can't be read")
        found[path] = os.fsdecode(blob)
    return found
