"""Remember of a large repository which tree was verified in which packs, and verify only what differs from it.

A record says that each object of one tree matched its name, and which of them weren't in a pack. While no pack is
changed, added or removed, those in packs still match. All others are read again: the loose ones, and what the subject
and its base don't share with that tree. The record is authenticated: who can write it can read the user's key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from verigate.subject.git import Git
from verigate.subject.object_integrity import list_children, verify_objects, verify_single
from verigate.subject.pack_state import PackState, describe_packs, list_packed

_MOST_LOOSE = 5000
"""So many objects outside of packs are read again; with more, nothing is remembered until git packs them."""

_RECORD = "objects"
_FORMAT = 1
_DIFF = ("diff-tree", "-r", "-t", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
_TREE = b"040000"


class ObjectRecords(Protocol):
    """Where records are kept, each authenticated."""

    def lookup(self, key: str) -> dict[str, bytes] | None:
        """Return the files of a record; None without one, or if it isn't authentic."""

    def store(self, key: str, files: Mapping[str, bytes]) -> None:
        """Keep a record."""


class _Record(Struct, frozen=True):
    """``tree`` was verified with the packs of ``state``; ``loose`` are the names of its objects outside of these.

    ``contents`` is the state by contents alone, None for packs that are too large.
    """

    state: str
    contents: str | None
    tree: str
    loose: frozenset[bytes]


class VerifiedPacks:
    """Verifies the objects of subjects in ``stores``, which are absolute paths; ``now`` is in nanoseconds."""

    def __init__(
        self, git: Git, stores: Sequence[str], object_format: str, records: ObjectRecords, now: Callable[[], int]
    ) -> None:
        self._git = git
        self._stores = stores
        self._format = object_format
        self._records = records
        self._now = now

    def verify(self, roots: Sequence[str], lasting: str) -> None:
        """Verify as ``verify_objects`` does, and remember the tree of ``lasting``, a commit or a tree among the roots.

        Raises SubjectError for an object that doesn't match its name.
        """
        since, before = self._now(), describe_packs(self._stores)
        record = None if before is None else self._find_record(before)
        known = None if record is None else self._list_shared(record.tree, roots)
        if before is None or record is None or known is None:
            self._verify_all(roots, lasting)
            return
        verify_single(self._git, record.loose, self._format)
        fresh = verify_objects(self._git, roots, self._format, known)
        tree = self._find_tree(lasting) or record.tree
        newer = _Record(before.digest, record.contents, tree, record.loose)
        if newer != record and before.is_settled(since):
            self._keep(replace(newer, loose=record.loose | fresh))

    def _find_record(self, state: PackState) -> _Record | None:
        record = self._read()
        if record is None or record.state == state.digest or record.contents is None:
            return record if record is not None and record.state == state.digest else None
        found = describe_packs(self._stores, contents=True)
        return record if found is not None and found.digest == record.contents else None

    def _verify_all(self, roots: Sequence[str], lasting: str) -> None:
        since, before = self._now(), describe_packs(self._stores)
        contents = describe_packs(self._stores, contents=True)
        verified = verify_objects(self._git, roots, self._format)
        tree = self._find_tree(lasting)
        packed = list_packed(self._stores, hashlib.new(self._format, usedforsecurity=False).digest_size)
        unchanged = before is not None and describe_packs(self._stores) == before and before.is_settled(since)
        if before is not None and unchanged and packed is not None and tree is not None:
            digest = None if contents is None else contents.digest
            self._keep(_Record(before.digest, digest, tree, frozenset(verified - packed)))

    def _list_shared(self, tree: str, roots: Iterable[str]) -> frozenset[bytes] | None:
        """List what the folders of ``tree`` in which one of the ``roots`` differs contain: what is in both is verified.

        These folders are read, and hashed, again. Returns None where git can't compare them.
        """
        folders = {tree}
        for root in roots:
            done = self._git.attempt(*_DIFF, tree, root)
            if done.returncode != 0:
                return None
            fields = done.stdout.split(b"\0")
            for what in fields[0:-1:2]:
                mode, _, oid, _, _ = what.removeprefix(b":").split(b" ")
                if mode == _TREE:
                    folders.add(oid.decode("ascii"))
        return list_children(self._git, folders, self._format)

    def _find_tree(self, name: str) -> str | None:
        done = self._git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{tree}}")
        return done.stdout.decode("ascii").strip() if done.returncode == 0 else None

    @property
    def _key(self) -> str:
        text = json.dumps(["verified objects", _FORMAT, self._format, *self._stores])
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()

    def _read(self) -> _Record | None:
        files = self._records.lookup(self._key)
        try:
            found: dict[str, Any] = json.loads((files or {})[_RECORD])
            return _Record(
                found["state"], found["contents"], found["tree"], frozenset(map(bytes.fromhex, found["loose"]))
            )
        except (ValueError, LookupError, TypeError):
            return None

    def _keep(self, record: _Record) -> None:
        loose = sorted(name.hex() for name in record.loose)
        if len(loose) <= _MOST_LOOSE:
            document = {"state": record.state, "contents": record.contents, "tree": record.tree, "loose": loose}
            self._records.store(self._key, {_RECORD: json.dumps(document).encode()})
