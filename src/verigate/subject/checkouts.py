"""The checkouts of one run: where their files come from, and what is mounted in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, partial
from itertools import count
from typing import TYPE_CHECKING

from verigate.domain.ports import Mount
from verigate.domain.subject import SubjectKind
from verigate.subject.access_times import shows_reads
from verigate.subject.checkout import Clock, PrivateCheckout
from verigate.subject.declared_files import DeclaredCheckout, DeclaredWriter
from verigate.subject.file_tree import FileTree, GitTree, build_git_tree
from verigate.subject.git_side import GitSide
from verigate.subject.object_integrity import verify_objects

if TYPE_CHECKING:
    from verigate.domain.subject import Subject
    from verigate.subject.dependencies import Dependencies
    from verigate.subject.entry_order import EntryOrder
    from verigate.subject.git import Git
    from verigate.subject.git_folder import Mountable
    from verigate.subject.on_demand import OnDemandCheckout
    from verigate.subject.plain_folder import FolderTree
    from verigate.subject.verified_packs import ObjectRecords


class Checkouts:
    """Checkouts below the folder ``path``, each written from the subject on first use; ``notes`` gets what it lacks.

    ``wanted`` is the order in which the folders of a git subject should list their entries. ``records`` say what was
    verified before.
    """

    def __init__(
        self,
        path: str,
        source: GitSide | tuple[Subject, FolderTree],
        dependencies: Dependencies,
        notes: list[str],
        *,
        clock: Clock,
        wanted: EntryOrder | None,
        records: ObjectRecords | None = None,
    ) -> None:
        self._path = path
        self._source = source
        self._dependencies = dependencies
        self._notes = notes
        self._clock = clock
        self._wanted = wanted
        self._records = records
        self._made: dict[int, PrivateCheckout] = {}
        self._demanded = count()
        self._declared: dict[tuple[int, tuple[str, ...], bool], DeclaredCheckout] = {}

    def open(self, number: int) -> PrivateCheckout:
        """Return the checkout of parallel branch ``number``."""
        if number not in self._made:
            os.makedirs(self._whole, 0o755, exist_ok=True)
            path = f"{self._whole}/{number}"
            self._made[number] = PrivateCheckout(
                path,
                str(number),
                tree=self._tree,
                folders=self._dependencies.folders,
                mounts=(Mount(path, self._subject.root, read_only=False), *self._mounts),
                clock=self._clock,
                shows_reads=self._shows_reads,
            )
        return self._made[number]

    def open_declared(self, number: int, patterns: tuple[str, ...], *, based: bool) -> DeclaredCheckout | None:
        """Return a checkout for branch ``number`` with the files that ``patterns`` match; None outside git."""
        if not isinstance(self._source, GitSide):
            return None
        key = (number, patterns, based)
        if key not in self._declared:
            os.makedirs(self._whole, 0o755, exist_ok=True)
            name = f"declared-{len(self._declared)}"
            path = f"{self._path}/{name}"
            mounts = (
                Mount(path, self._subject.root, read_only=False),
                Mount(None, self._whole, read_only=True),
                *self._list_mounts(self._source.control.stores),
            )
            writer = DeclaredWriter(self._source, patterns, self._proof)
            make = partial(self._make_declared, writer, path, name, mounts, based=based)
            self._declared[key] = DeclaredCheckout(path, mounts, make)
        return self._declared[key]

    def open_on_demand(self) -> OnDemandCheckout | None:
        """Return a checkout for one call that writes its files itself; None outside git, and with submodules."""
        tree = self._tree
        if not isinstance(tree, GitTree) or len(tree.layers) > 1:
            return None
        from verigate.subject.on_demand import OnDemandCheckout  # for large repositories alone

        os.makedirs(self._whole, 0o755, exist_ok=True)
        name = f"on-demand-{next(self._demanded)}"
        path = f"{self._whole}/{name}"
        return OnDemandCheckout(
            path,
            name,
            tree=tree,
            folders=self._dependencies.folders,
            mounts=(Mount(path, self._subject.root, read_only=False), *self._mounts),
            shows_reads=self._shows_reads,
        )

    def _make_declared(
        self, writer: DeclaredWriter, path: str, name: str, mounts: tuple[Mount, ...], *, based: bool
    ) -> PrivateCheckout:
        return PrivateCheckout(
            path,
            name,
            tree=writer.build_tree(name),
            folders=(),
            mounts=mounts,
            clock=self._clock,
            shows_reads=self._shows_reads,
            based=based,
        )

    @property
    def _whole(self) -> str:
        """The folder of the checkouts of the whole subject."""
        return f"{self._path}/work"

    @property
    def _subject(self) -> Subject:
        return self._source.found.subject if isinstance(self._source, GitSide) else self._source[0]

    @cached_property
    def _shows_reads(self) -> bool:
        return isinstance(self._source, GitSide) and shows_reads(self._path)

    @cached_property
    def _tree(self) -> FileTree:
        if not isinstance(self._source, GitSide):
            return self._source[1]
        tree, notes = build_git_tree(self._source.git, self._source.control, self._source.found, self._proof)
        self._notes.extend(notes)
        if self._wanted is None:
            return tree
        from verigate.subject.entry_order import ArrangedTree  # for the conformance kit alone

        return ArrangedTree(tree, self._wanted)

    @cached_property
    def _proof(self) -> Callable[[], None]:
        """What verifies the objects of base and subject, once. Only for a subject of git."""
        if not isinstance(self._source, GitSide):
            raise TypeError("a plain folder has no objects")
        control, subject = self._source.control, self._subject
        head = None if subject.kind is SubjectKind.COMMIT else control.repository.head
        roots = [name for name in (subject.tree, subject.base, head) if name is not None]
        git = self._source.git.isolate(control.path, self._path)
        form = control.repository.object_format
        if self._records is None or subject.base is None:
            return cache(partial(_verify, git, roots, form))
        from verigate.subject.verified_packs import VerifiedPacks  # for large repositories alone

        stores = [store.source for store in control.stores]
        packs = VerifiedPacks(git, stores, form, self._records, self._clock.now)
        return cache(partial(packs.verify, roots, subject.base))

    @cached_property
    def _mounts(self) -> tuple[Mount, ...]:
        stores = self._source.control.stores if isinstance(self._source, GitSide) else ()
        return (*self._list_mounts((*self._dependencies.linked.values(), *stores)), *self._dependencies.mounted)

    def _list_mounts(self, places: Iterable[Mountable]) -> Iterator[Mount]:
        yield Mount(None, f"{self._path}/deps", read_only=True)
        yield from (Mount(place.source, place.target, read_only=True) for place in places)


def _verify(git: Git, roots: Iterable[str], object_format: str) -> None:
    verify_objects(git, roots, object_format)
