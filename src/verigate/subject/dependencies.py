"""Ignored dependency folders of the user's tree, available in checkouts and never written to.

There are three kinds. A virtual environment is mounted at its own path, since its scripts name it; without a sandbox
its entries are linked. So is what go and cargo have vendored, and so are the archives of Yarn's Plug'n'Play. A
node_modules is a real folder of links, so that tools can write next to the packages; the links lead into the workspace,
to a mount in a sandbox and to a link to the user's folder without one. The store of pnpm in it is mounted at its own
path, as an environment is: its packages link to each other and to the workspace; so is ``.bin``, since programs there
find their packages from where they are. Cargo's ``target`` is copied, since cargo writes into it. Of
composer's ``vendor`` what loads classes is copied: it finds the project's own from where it is.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from verigate.domain.ports import Mount
from verigate.subject.composer import COPIED, find_composer_folders, plan_composer_links
from verigate.subject.dependency_links import MOUNTED, Link, make_links, plan_entry_links, plan_package_links
from verigate.subject.generated_files import GeneratedFile
from verigate.subject.git import decode_path
from verigate.subject.git_folder import Mountable
from verigate.subject.outside_programs import is_below
from verigate.subject.plug_and_play import find_archive_folders, find_loader_files, list_projects
from verigate.subject.project_env import IN_TREE, find_project_envs, is_environment

TARGET_LIMIT_BYTES = 2_000_000_000
_TARGET_LIMIT_FILES = 50_000
_NOT_REUSED = frozenset({b"incremental", b"doc", b"package", b"tmp"})
_MANIFESTS = (b"package.json", b"Cargo.toml", b"go.mod", b"Gemfile", b"composer.json", b"yarn.lock")
_FICLONE = 0x40049409


class LinkFolder(Struct, frozen=True):
    """A dependency folder that becomes a folder of links in each checkout. ``path`` is relative to the root."""

    path: bytes
    links: Callable[[], Iterator[Link]]

    def make(self, checkout: bytes) -> None:
        """Write it into a checkout."""
        make_links(checkout + b"/" + self.path, self.links)

    def put_back(self, checkout: bytes, paths: Sequence[bytes]) -> None:
        """Write the links at ``paths`` again (relative to the checkout, where nothing exists)."""
        texts = {self.path + b"/" + path: text for path, text in self.links()}
        for path in paths:
            text = texts.get(path)
            if text is not None:
                os.symlink(text, checkout + b"/" + path)


class CopyFolder(Struct, frozen=True):
    """A dependency folder that is copied into each checkout: the ``files`` below ``source``."""

    path: bytes
    source: bytes
    files: tuple[bytes, ...]

    def make(self, checkout: bytes) -> None:
        """Copy it into a checkout, as clones where the file system can."""
        self.put_back(checkout, [self.path + b"/" + file for file in self.files])

    def put_back(self, checkout: bytes, paths: Sequence[bytes]) -> None:
        """Copy the files at ``paths`` (relative to the checkout) again, except what the user has removed since."""
        for path in paths:
            target = checkout + b"/" + path
            os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
            try:
                _clone(self.source + path.removeprefix(self.path), target)
            except FileNotFoundError:
                continue


DependencyFolder = LinkFolder | CopyFolder | GeneratedFile


class Dependencies(Struct, frozen=True):
    """What the project needs to run and git doesn't track.

    ``linked`` maps paths to the folders in the workspace that links lead to; ``mounted`` are virtual environments
    (source and target are absolute paths); ``project_envs`` and ``tool_folders`` as in the Workspace port.
    """

    folders: tuple[DependencyFolder, ...]
    linked: Mapping[bytes, Mountable]
    mounted: tuple[Mount, ...]
    project_envs: tuple[str, ...]
    tool_folders: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def installed(self) -> tuple[str, ...]:
        """As in the SubjectWorkspace port."""
        places = (
            *(place.source for place in self.linked.values()),
            *(mount.source for mount in self.mounted if mount.source is not None),
            *(os.fsdecode(folder.source) for folder in self.folders if not isinstance(folder, LinkFolder)),
            *self.project_envs,
        )
        return tuple(dict.fromkeys(places))


def find_dependencies(
    root: str, tracked: Iterable[bytes], environ: Mapping[str, str], gate_prefix: str, workspace: str
) -> Dependencies:
    """Find dependency folders in the user's tree that are not part of the subject.

    ``tracked`` are the subject's paths; ``workspace`` is the folder that links lead through.
    """
    names = sorted(tracked)
    # Of many thousand paths only manifests say where dependencies may be.
    manifests = [name for name in names if name.endswith(_MANIFESTS)]
    envs = [
        env
        for env in find_project_envs(root, environ, gate_prefix, tracked=names)
        if not (is_below(env, root) and _is_in_subject(names, os.fsencode(os.path.relpath(env, root))))
    ]
    folders: list[DependencyFolder] = []
    mounted: list[Mount] = []
    for path in _find_environments(root, envs, names):
        source = os.path.realpath(f"{root}/{os.fsdecode(path)}")
        folders.append(LinkFolder(path, partial(plan_entry_links, os.fsencode(source), os.fsencode(source))))
        mounted.append(Mount(source, f"{root}/{os.fsdecode(path)}", read_only=True))
    projects = list_projects(os.fsencode(root), manifests)
    archives = (path for path in find_archive_folders(os.fsencode(root), projects) if not _is_in_subject(names, path))
    for path in dict.fromkeys((*_find_vendored(root, manifests, names), *archives)):
        source = f"{root}/{os.fsdecode(path)}"
        real = os.path.realpath(source)
        folders.append(LinkFolder(path, partial(plan_entry_links, os.fsencode(real), os.fsencode(real))))
        mounted.append(Mount(real, source, read_only=True))
    loaders = find_loader_files(os.fsencode(root), projects)
    folders += (file for file in loaders if not _is_in_subject(names, file.path))
    for path in find_composer_folders(os.fsencode(root), manifests):
        if not _is_in_subject(names, path) and path not in {folder.path for folder in folders}:
            folders += _plan_composer_folder(os.fsencode(root) + b"/" + path, path)
            place = f"{root}/{os.fsdecode(path)}"
            mounted.append(Mount(os.path.realpath(place), place, read_only=True))
    linked: dict[bytes, Mountable] = {}
    bins: list[str] = []
    for number, path in enumerate(_find_next_to(root, manifests, names, b"package.json", b"node_modules")):
        place = f"{root}/{os.fsdecode(path)}"
        store = Mountable(os.path.realpath(place), f"{workspace}/deps/{number}/node_modules")
        linked[path] = store
        for name in MOUNTED:
            kept = f"{place}/{os.fsdecode(name)}"
            if os.path.isdir(kept) and not os.path.islink(kept):
                raw = os.fsencode(os.path.realpath(kept))
                # Before the folder around it: what is put back belongs to the first folder that has it.
                folders.append(LinkFolder(path + b"/" + name, partial(plan_entry_links, raw, raw)))
                mounted.append(Mount(os.fsdecode(raw), kept, read_only=True))
        links = partial(plan_package_links, os.fsencode(place), os.fsencode(store.target), os.fsencode(root))
        folders.append(LinkFolder(path, links))
        bins.append(f"{place}/.bin")
    notes: list[str] = []
    for path in _find_next_to(root, manifests, names, b"Cargo.toml", b"target"):
        files = _list_reusable(os.fsencode(root) + b"/" + path)
        if files is None:
            notes.append(f"{decode_path(path)} is too large to copy; its content will be built again")
        else:
            folders.append(CopyFolder(path, os.fsencode(root) + b"/" + path, files))
    tools = [f"{env}/bin" for env in envs[:1]] + sorted(bins, key=lambda folder: folder.count("/"))
    return Dependencies(tuple(folders), linked, tuple(mounted), tuple(envs), tuple(tools), tuple(notes))


def _plan_composer_folder(source: bytes, path: bytes) -> Iterator[DependencyFolder]:
    for name in COPIED:
        files = _list_reusable(source + b"/" + name, frozenset()) or ()
        yield CopyFolder(path + b"/" + name, source + b"/" + name, files)
    yield GeneratedFile(path + b"/autoload.php", source + b"/autoload.php")
    # After what is in it: what is put back belongs to the first folder that has it.
    yield LinkFolder(path, partial(plan_composer_links, os.path.realpath(source)))


def _find_environments(root: str, envs: Sequence[str], names: Sequence[bytes]) -> list[bytes]:
    below = names[bisect_left(names, b"adapters/") : bisect_left(names, b"adapters0")]
    adapters = sorted({b"/".join(name.split(b"/", 2)[:2]) for name in below})
    found = [os.fsencode(name) for name in IN_TREE]
    found += [folder + b"/" + os.fsencode(name) for folder in adapters for name in IN_TREE]
    found += [os.fsencode(os.path.relpath(env, root)) for env in envs if env != root and is_below(env, root)]
    return [
        path
        for path in dict.fromkeys(found)
        if not _is_in_subject(names, path) and is_environment(f"{root}/{os.fsdecode(path)}")
    ]


def _find_next_to(
    root: str, manifests: Iterable[bytes], names: Sequence[bytes], marker: bytes, folder: bytes
) -> Iterator[bytes]:
    for name in manifests:
        parent, _, last = name.rpartition(b"/")
        if last != marker or b"node_modules" in parent.split(b"/"):
            continue
        path = parent + b"/" + folder if parent else folder
        if not _is_in_subject(names, path) and os.path.isdir(os.fsencode(root) + b"/" + path):
            yield path


def _find_vendored(root: str, manifests: Sequence[bytes], names: Sequence[bytes]) -> Iterator[bytes]:
    """Find copies of dependencies that go, cargo and bundler made next to their files, and that git ignores."""
    for path in _find_next_to(root, manifests, names, b"go.mod", b"vendor"):
        if os.path.isfile(os.fsencode(root) + b"/" + path + b"/modules.txt"):
            yield path
    for path in _find_next_to(root, manifests, names, b"Cargo.toml", b"vendor"):
        yield path
    for path in _find_next_to(root, manifests, names, b"Gemfile", b"vendor/bundle"):
        # Where another tool has the folder around it, that is a folder of links.
        around = os.fsencode(root) + b"/" + path.rpartition(b"/")[0]
        if os.listdir(around) == [b"bundle"]:
            yield path


def _is_in_subject(names: Sequence[bytes], path: bytes) -> bool:
    place = bisect_left(names, path)
    below = bisect_left(names, path + b"/")
    return (place < len(names) and names[place] == path) or (
        below < len(names) and names[below].startswith(path + b"/")
    )


def _list_reusable(folder: bytes, left_out: Collection[bytes] = _NOT_REUSED) -> tuple[bytes, ...] | None:
    found: list[bytes] = []
    size = 0
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in left_out)
        for name in sorted(files):
            path = parent + b"/" + name
            try:
                info = os.lstat(path)
            except FileNotFoundError:
                continue
            if not os.path.isfile(path) or os.path.islink(path):
                continue
            size += info.st_size
            found.append(path[len(folder) + 1 :])
            if size > TARGET_LIMIT_BYTES or len(found) > _TARGET_LIMIT_FILES:
                return None
    return tuple(found)


def _clone(source: bytes, target: bytes) -> None:
    with open(source, "rb") as original, open(target, "xb") as copy:
        try:
            fcntl.ioctl(copy.fileno(), _FICLONE, original.fileno())
        except OSError as error:
            if error.errno not in {
                errno.EOPNOTSUPP,
                errno.EXDEV,
                errno.EINVAL,
                errno.ENOTTY,
                errno.ENOSYS,
                errno.EPERM,
            }:
                raise
            shutil.copyfileobj(original, copy, 1 << 20)
    # cargo compares times to see what is fresh.
    shutil.copystat(source, target)
