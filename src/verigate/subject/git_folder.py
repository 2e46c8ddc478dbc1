"""The gate's own git folder of one run, and the git folder of a checkout, both written without git.

Layout: gitrepository-layout(5). One git process for each would cost more time than writing all the files.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence

from msgspec import Struct

from verigate.subject.git import Repository, list_object_stores

_CONFIG = (
    "[core]\n\tbare = false\n\tfilemode = true\n\tlogallrefupdates = false\n\trepositoryformatversion = {version}\n"
)
_MOST_BYTES = 16 * 1024 * 1024
_SHA256 = "[extensions]\n\tobjectFormat = sha256\n"


class Mountable(Struct, frozen=True):
    """A folder of the machine that must be visible at ``target`` in the workspace, with and without a sandbox.

    Without one ``target`` is a symbolic link to ``source``; in one, ``source`` is mounted over ``target``.
    """

    source: str
    target: str


class Control(Struct, frozen=True):
    """The gate's own git folder: index files, and objects that the subject adds. Adapters never write here."""

    path: str
    repository: Repository
    stores: tuple[Mountable, ...]

    @property
    def objects(self) -> str:
        """The folder for new objects; git reads others from the repository's own store."""
        return f"{self.path}/objects"

    def index(self, name: str) -> str:
        """Return the path of an index file."""
        return f"{self.path}/index-{name}"

    @property
    def alternates(self) -> tuple[str, ...]:
        """Every object store that a checkout reads from."""
        return (self.objects, *(store.target for store in self.stores))


def make_control(workspace: str, repository: Repository) -> Control:
    """Write the control folder, and link the repository's object stores below ``<workspace>/deps``."""
    stores = tuple(
        Mountable(store, f"{workspace}/deps/objects-{number}")
        for number, store in enumerate(list_object_stores(repository.objects))
    )
    for store in stores:
        os.symlink(store.source, store.target)
    control = Control(f"{workspace}/control.git", repository, stores)
    write_git_folder(control.path, repository, [store.target for store in stores], "ref: refs/heads/gate\n")
    return control


def write_git_folder(path: str, repository: Repository, alternates: Sequence[str], head: str) -> None:
    """Write a git folder without objects: HEAD, config, alternates, and ``shallow`` for a shallow clone."""
    for folder in ("", "/objects", "/objects/info", "/refs"):
        os.mkdir(path + folder, 0o755)
    sha256 = repository.object_format == "sha256"
    config = _CONFIG.format(version=1 if sha256 else 0) + (_SHA256 if sha256 else "")
    for name, text in (
        ("HEAD", head),
        ("config", config),
        ("objects/info/alternates", "".join(f"{store}\n" for store in alternates)),
    ):
        with open(f"{path}/{name}", "wb") as file:
            file.write(os.fsencode(text))
    if repository.shallow:
        shutil.copyfile(repository.shallow_file, f"{path}/shallow")


def read_tags(repository: Repository) -> str:
    """Read the repository's tags as the lines of a ``packed-refs``: tools compute versions from them.

    Tags in a reftable, and those whose names git would refuse, are left out.
    """
    # HEAD, the index and the like belong to a work tree, tags to the repository whose objects they name.
    common = os.path.dirname(repository.objects)
    size = 64 if repository.object_format == "sha256" else 40
    line = re.compile(rf"([0-9a-f]{{{size}}}) (refs/tags/[^\x00-\x20\x7f~^:?*\[\\]+)")
    found: dict[str, str] = {}
    try:
        with open(f"{common}/packed-refs", "rb") as file:
            packed = os.fsdecode(file.read(_MOST_BYTES))
    except OSError:
        packed = ""
    for text in packed.splitlines():
        if match := line.fullmatch(text):
            found[match[2]] = match[1]
    for folder, _, names in os.walk(f"{common}/refs/tags"):
        for name in names:
            path = f"{folder}/{name}"
            try:
                with open(path, "rb") as file:
                    text = f"{os.fsdecode(file.read(100).strip())} {path[len(common) + 1 :]}"
            except OSError:
                continue
            if match := line.fullmatch(text):
                found[match[2]] = match[1]
    return "".join(f"{oid} {name}\n" for name, oid in sorted(found.items()))
