"""The gate's own git folder of one run, and the git folder that a checkout is given. Both are written by hand.

Layout after gitrepository-layout(5); a git process for each would cost more than all the files together.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from msgspec import Struct

from verigate.subject.git import Repository, list_object_stores

_CONFIG = (
    "[core]\n\tbare = false\n\tfilemode = true\n\tlogallrefupdates = false\n\trepositoryformatversion = {version}\n"
)
_SHA256 = "[extensions]\n\tobjectFormat = sha256\n"


class Mountable(Struct, frozen=True):
    """A folder of the machine that must be visible at ``target`` in the workspace, in a sandbox and without one.

    Without one ``target`` is a symbolic link to ``source``; in one, a folder over which ``source`` is mounted.
    """

    source: str
    target: str


class Control(Struct, frozen=True):
    """The gate's own git folder: its index files and what objects the subject adds. Adapters never write here."""

    path: str
    repository: Repository
    stores: tuple[Mountable, ...]

    @property
    def objects(self) -> str:
        """Where new objects go; reading goes on to the repository's own store."""
        return f"{self.path}/objects"

    def index(self, name: str) -> str:
        """The path of an index file."""
        return f"{self.path}/index-{name}"

    @property
    def alternates(self) -> tuple[str, ...]:
        """Every store that a checkout reads from."""
        return (self.objects, *(store.target for store in self.stores))


def make_control(workspace: str, repository: Repository) -> Control:
    """Write the control folder. Object stores of the repository are linked below ``<workspace>/deps``."""
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
    """Write a git folder without objects of its own: HEAD, config, alternates, and ``shallow`` where it applies."""
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
