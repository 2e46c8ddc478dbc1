"""The policy files of a commit, read from git's objects: never from a working tree, an index or a checkout."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping

from msgspec import Struct

from verigate.domain.policy_names import POLICY_FOLDERS, is_policy_file
from verigate.errors import SubjectError
from verigate.subject.git import Git, decode_path
from verigate.subject.object_reader import ObjectReader, open_objects
from verigate.subject.tree_listing import GITLINK, LINK

_TREE = b"40000"
_PACKAGE = b"package.json"
_MOST_FILES = 50_000
_DEEPEST = 64


class PolicyEntry(Struct, frozen=True):
    """One file: its mode as git writes it, its object id and its content (of a link: where it leads)."""

    mode: bytes
    oid: str
    content: bytes


class PolicyTree(Struct, frozen=True):
    """The files below ``config/``, ``adapters/`` and ``hooks/``, and ``package.json``, by path in bytes."""

    entries: Mapping[bytes, PolicyEntry]

    def read(self, path: str) -> bytes | None:
        """Return the content of a regular file, None if there is none."""
        entry = self.entries.get(path.encode("utf-8", "surrogateescape"))
        return None if entry is None or entry.mode == LINK else entry.content

    @property
    def digest(self) -> str:
        """The sha256 over mode, content and path of each policy file, sorted by path."""
        digest = hashlib.sha256()
        for path in sorted(self._list_judges()):
            entry = self.entries[path]
            digest.update(b"%s %s %s\0" % (entry.mode, hashlib.sha256(entry.content).hexdigest().encode(), path))
        return digest.hexdigest()

    def list_below(self, folder: bytes) -> Mapping[bytes, tuple[bytes, str]]:
        """Return mode and id of each file below a folder, by path."""
        start = folder + b"/"
        return {path: (entry.mode, entry.oid) for path, entry in self.entries.items() if path.startswith(start)}

    def write(self, target: str) -> None:
        """Write the files below ``target``, a new folder."""
        os.mkdir(target, 0o755)
        for path, entry in sorted(self.entries.items()):
            place = os.fsencode(target) + b"/" + path
            os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
            if entry.mode == LINK:
                os.symlink(entry.content, place)
                continue
            mode = 0o755 if entry.mode == b"100755" else 0o644
            with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as file:
                file.write(entry.content)

    def _list_judges(self) -> Iterator[bytes]:
        def exists(path: str) -> bool:
            return path.encode("utf-8", "surrogateescape") in self.entries

        def is_link(path: str) -> bool:
            entry = self.entries.get(path.encode("utf-8", "surrogateescape"))
            return entry is not None and entry.mode == LINK

        return (path for path in self.entries if is_policy_file(os.fsdecode(path), exists, is_link))


def read_policy_tree(git: Git, name: str, object_format: str, *, where: str, kind: bytes = b"commit") -> PolicyTree:
    """Read the policy files of the commit (or, by ``kind``, the tree) ``name``, a full id; every object is hashed.

    ``where`` names it in messages. Raises SubjectError for an object that is missing or doesn't match its name, and for
    a submodule among the policy files: its files are in another repository.
    """
    entries: dict[bytes, PolicyEntry] = {}
    with open_objects(git, object_format) as objects:
        for item in objects.read_tree(objects.read_root(name) if kind == b"commit" else name):
            if item.name == _PACKAGE and item.mode not in {_TREE, LINK, GITLINK}:
                entries[item.name] = PolicyEntry(item.mode, item.oid, objects.read(item.oid, b"blob"))
            elif os.fsdecode(item.name) in POLICY_FOLDERS:
                _refuse_elsewhere(item.mode, item.name, where)
                if item.mode != _TREE:
                    continue
                for path, entry in _read_below(objects, item.oid, item.name, where, 0):
                    entries[path] = entry
                    if len(entries) > _MOST_FILES:
                        hint = "keep what isn't policy out of config/, adapters/ and hooks/"
                        raise SubjectError(f"the policy has more than {_MOST_FILES} files", where=where, hint=hint)
    return PolicyTree(entries)


def _read_below(
    objects: ObjectReader, tree: str, folder: bytes, where: str, depth: int
) -> Iterator[tuple[bytes, PolicyEntry]]:
    if depth > _DEEPEST:
        raise SubjectError(f"its folders are nested more than {_DEEPEST} deep", where=where)
    for item in objects.read_tree(tree):
        path = folder + b"/" + item.name
        if item.mode == _TREE:
            yield from _read_below(objects, item.oid, path, where, depth + 1)
        elif item.mode == GITLINK:
            _refuse_elsewhere(item.mode, path, where)
        else:
            yield path, PolicyEntry(item.mode, item.oid, objects.read(item.oid, b"blob"))


def _refuse_elsewhere(mode: bytes, path: bytes, where: str) -> None:
    """Refuse a link and a submodule in the place of a folder: the policy would lie elsewhere."""
    if mode not in {LINK, GITLINK}:
        return
    what = "a submodule" if mode == GITLINK else "a symbolic link"
    raise SubjectError(
        f"{decode_path(path)} is {what} there, so the policy can't be read",
        where=where,
        hint="put the files themselves there, or name another ref with --policy-ref",
    )
