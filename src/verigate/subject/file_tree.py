"""Write the subject's files into a checkout and restore them: the protocol, and its implementation with git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from verigate.errors import SubjectError
from verigate.subject.git import Git, decode_path, list_object_stores
from verigate.subject.git_folder import Control, read_tags, write_git_folder
from verigate.subject.object_integrity import verify_objects
from verigate.subject.resolve_subject import GitSubject, empty_tree_id
from verigate.subject.submodule_objects import NESTING, find_submodule_objects
from verigate.subject.tree_listing import GITLINK, list_tree

_PARALLEL = ("-c", "checkout.workers=0")
_SPARSE = ("-c", "core.sparseCheckout=true", "-c", "core.sparseCheckoutCone=false", "-c", "index.sparse=false")
_WITHOUT_FILES = "without-files"
"""Names the index that each checkout without files begins with."""


class FileTree(Protocol):
    """The source of a checkout's files."""

    def write(self, checkout: str, name: str) -> None:
        """Fill the empty folder ``checkout``; ``name`` separates its bookkeeping from that of other checkouts."""

    def put_back(self, checkout: str, name: str, paths: Sequence[bytes]) -> None:
        """Write these files again; nothing exists at their paths."""

    def write_git(self, folder: str, name: str, ignored: Sequence[bytes], *, based: bool) -> bool:
        """Write a checkout's git folder; False if the subject has none. ``ignored`` are dependency folders.

        ``based``: HEAD is the base, and the tags are there; else it is a branch without a commit.
        """


class Layer(Struct, frozen=True):
    """A tree that is checked out below ``prefix`` (empty or ending in ``/``): the subject's own or a submodule's."""

    prefix: bytes
    git_dir: str
    tree: str


class GitTree(Struct, frozen=True):
    """The subject's files from git's objects: ``layers`` are the subject and its submodules, outermost first.

    ``proof`` raises SubjectError for objects whose content doesn't match their name. It runs while the files are
    written. Without ``tags`` no checkout shows them.
    """

    git: Git
    control: Control
    base: str
    layers: tuple[Layer, ...]
    proof: Callable[[], None]
    tags: bool = True

    def write(self, checkout: str, name: str) -> None:
        """As in FileTree. Raises SubjectError for a tree with paths that git refuses to write."""
        for layer in self.layers:
            command = (*_PARALLEL, "read-tree", "--reset", "-u", layer.tree)
            self._run_proving(self._git(layer, checkout, name), command)

    def write_index(self, checkout: str, name: str) -> None:
        """Write the index alone, with the skip-worktree bit for each file. Raises as ``write`` does.

        Only for a tree without submodules. git writes it once, as that of a sparse checkout in which nothing is wanted.
        """
        layer = self.layers[0]
        written = f"{layer.git_dir}/index-{_WITHOUT_FILES}"
        if os.path.exists(written):
            self.proof()
        else:
            os.makedirs(f"{layer.git_dir}/info", exist_ok=True)
            with open(f"{layer.git_dir}/info/sparse-checkout", "wb"):
                pass
            command = (*_SPARSE, "read-tree", "--reset", "-u", layer.tree)
            self._run_proving(self._git(layer, checkout, _WITHOUT_FILES), command)
        os.link(written, f"{layer.git_dir}/index-{name}")

    def put_back(self, checkout: str, name: str, paths: Sequence[bytes]) -> None:
        """As in FileTree."""
        remaining = list(paths)
        for layer in reversed(self.layers):
            own = [path for path in remaining if path.startswith(layer.prefix)]
            remaining = [path for path in remaining if not path.startswith(layer.prefix)]
            if own:
                listed = b"".join(path.removeprefix(layer.prefix) + b"\0" for path in own)
                git = self._git(layer, checkout, name)
                git.run("checkout-index", "--force", "--index", "-z", "--stdin", stdin=listed)

    def write_git(self, folder: str, name: str, ignored: Sequence[bytes], *, based: bool) -> bool:
        """As in FileTree: the index is the subject, objects are shared by alternates."""
        repository = self.control.repository
        unborn = not based or self.base == empty_tree_id(repository.object_format)
        head = "ref: refs/heads/main\n" if unborn else f"{self.base}\n"
        write_git_folder(folder, repository, self.control.alternates, head)
        if based and self.tags and (tags := read_tags(repository)):
            with open(f"{folder}/packed-refs", "wb") as file:
                file.write(os.fsencode(tags))
        if ignored:
            os.mkdir(f"{folder}/info", 0o755)
            with open(f"{folder}/info/exclude", "wb") as file:
                file.writelines(b"/" + path + b"\n" for path in ignored if b"\n" not in path)
        # With its times, by which git knows which files it need not read again.
        shutil.copy2(f"{self.layers[0].git_dir}/index-{name}", f"{folder}/index")
        return True

    def refresh(self, checkout: str, name: str) -> None:
        """Record the files' times again after they were moved, not changed."""
        for layer in self.layers:
            self._git(layer, checkout, name).run("update-index", "-q", "--refresh")

    def _run_proving(self, git: Git, command: tuple[str, ...]) -> None:
        end = git.begin(*command)
        try:
            self.proof()
        finally:
            done = end()
        if done.returncode != 0:
            raise git.make_error(command, done.returncode, done.stderr)

    def _git(self, layer: Layer, checkout: str, name: str) -> Git:
        place = f"{checkout}/{os.fsdecode(layer.prefix)}".rstrip("/")
        return self.git.isolate(layer.git_dir, place).with_variables(GIT_INDEX_FILE=f"{layer.git_dir}/index-{name}")


def build_git_tree(
    git: Git, control: Control, found: GitSubject, proof: Callable[[], None]
) -> tuple[GitTree, tuple[str, ...]]:
    """Build the tree of a subject with its available submodules, and notes about the unavailable ones."""
    layers = [Layer(b"", control.path, found.subject.tree)]
    notes: list[str] = []
    links = dict(found.entries.list_mode(GITLINK))
    for layer_or_note in _find_submodules(git, control, b"", links, root=control.repository.root, depth=NESTING):
        if isinstance(layer_or_note, str):
            notes.append(layer_or_note)
        else:
            layers.append(layer_or_note)
    return GitTree(git, control, str(found.subject.base), tuple(layers), proof), tuple(notes)


def _find_submodules(
    git: Git, control: Control, prefix: bytes, links: dict[bytes, str], *, root: str, depth: int
) -> Iterator[Layer | str]:
    for path, oid in sorted(links.items()):
        place = f"{root}/{os.fsdecode(path)}"
        shown = decode_path(prefix + path)
        objects = find_submodule_objects(place)
        if objects is None or depth == 0:
            yield f"submodule {shown} is not checked out; its folder is empty in the subject"
            continue
        git_dir = f"{control.path}/submodule-{os.urandom(6).hex()}"
        write_git_folder(git_dir, control.repository, list_object_stores(objects), "ref: refs/heads/gate\n")
        try:
            entries = list_tree(git.isolate(git_dir, control.path), oid)
        except SubjectError:
            yield f"submodule {shown} lacks commit {oid}; its folder is empty in the subject (git submodule update)"
            continue
        verify_objects(git.isolate(git_dir, control.path), [oid], control.repository.object_format)
        yield Layer(prefix + path + b"/", git_dir, oid)
        inner = dict(entries.list_mode(GITLINK))
        yield from _find_submodules(git, control, prefix + path + b"/", inner, root=place, depth=depth - 1)
