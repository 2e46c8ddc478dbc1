"""The PATH of an adapter: a small script for each declared tool, links to coreutils, and nothing else.

Scripts, not links: a linked python of a virtual environment loses the environment, and a tool that looks at its own
path finds itself in a folder without its neighbours. coreutils don't need that, and have a folder of their own: making
a hundred links takes longer than starting an adapter, so the folder is kept (``coreutils_folder.py``), or made in
memory.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_VERSION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_ENV_SHEBANG = re.compile(rb"#!\s*/usr/bin/env\s+(?:-S\s+)?([A-Za-z0-9._+-]+)")

COREUTILS = (  # noqa: SIM905 (a hundred names read better as text)
    "[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd df "
    "dir dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln "
    "logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv "
    "printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf "
    "sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname "
    "unexpand uniq unlink uptime users vdir wc who whoami yes"
).split()
"""GNU coreutils 9, the programs of its manual."""

ALWAYS = ("sh", "which", *COREUTILS)
_TRUSTED = frozenset({"git", *ALWAYS})
"""Only from outside the repository: with its own git or cat a subject could forge what the gate reads."""


class Search(Struct, frozen=True):
    """Where tools are looked for, in order, and where git, sh and coreutils are never looked for.

    ``project`` are folders of the subject's own tools by their paths on the machine, ``seen_as`` maps a prefix of the
    machine's paths to the adapter's; ``path`` are the folders of the caller's PATH; ``inside`` the folders that the
    subject can write to; ``root`` is where ``.python-version`` may be.
    """

    project: tuple[str, ...]
    path: tuple[str, ...]
    inside: tuple[str, ...]
    root: str
    environ: Mapping[str, str]
    seen_as: tuple[tuple[str, str], ...] = ()

    def find(self, name: str) -> str | None:
        """Find a tool on the machine; its absolute path, None if there is none."""
        trusted = name in _TRUSTED
        folders = self.outside() if trusted else (*self.project, *self.path)
        shims = _find_shims(self.environ)
        fallback = None
        for folder in folders:
            candidate = f"{folder}/{name}"
            if not (self.is_trusted(candidate) if trusted else _is_executable(candidate)):
                continue
            if os.path.realpath(folder) != shims:
                return candidate
            # A shim is a shell script that searches its own manager on PATH, and costs 80 ms.
            real = _resolve_shim(name, self.root, self.environ)
            if real is not None:
                return real
            fallback = fallback or candidate
        return fallback

    def outside(self) -> tuple[str, ...]:
        """The folders of PATH and of the system that the subject can't write to."""
        folders = dict.fromkeys((*self.path, *_SYSTEM_PATH))
        real = {folder: os.path.realpath(folder) for folder in folders}
        return tuple(folder for folder in folders if not (self._is_inside(folder) or self._is_inside(real[folder])))

    def for_project(self) -> tuple[str, ...]:
        """The folders in which the project's programs look for others, by their paths on the machine.

        Those of the project's tools, then those of ``outside``: what a developer has, without what the subject wrote.
        """
        return tuple(dict.fromkeys((*self.project, *self.outside())))

    def is_trusted(self, path: str) -> bool:
        """Whether this path in a folder of ``outside`` is a program, and no link to one that the subject can write."""
        if not os.access(path, os.X_OK):
            return False
        if stat.S_ISREG(os.lstat(path).st_mode):
            return True
        return Path(path).is_file() and not self._is_inside(os.path.realpath(path))

    def map_path(self, path: str) -> str:
        """Return the adapter's path for a path of the machine."""
        matches = [(source, target) for source, target in self.seen_as if _is_below(path, source)]
        if not matches:
            return path
        source, target = max(matches, key=lambda pair: len(pair[0]))
        return target + path[len(source) :]

    def _is_inside(self, path: str) -> bool:
        return any(_is_below(path, folder) for folder in self.inside)


class Toolbox(Struct, frozen=True):
    """A finished PATH folder: ``found`` maps names to paths on the machine, ``missing`` are declared but not found."""

    folder: str
    found: Mapping[str, str]
    missing: tuple[str, ...]


def list_caller_path(environ: Mapping[str, str], gate_bin: str | None) -> tuple[str, ...]:
    """List the absolute folders of the caller's PATH, without the gate's own ``bin`` (None: it has none of its own)."""
    folders = dict.fromkeys(folder for folder in environ.get("PATH", "").split(":") if folder.startswith("/"))
    own = os.path.realpath(gate_bin) if gate_bin else None
    return tuple(folder for folder in folders if os.path.realpath(folder) != own)


def locate_tools(declared: Iterable[str], search: Search) -> tuple[dict[str, str], tuple[str, ...]]:
    """Find the declared tools, and the interpreters that their first lines request from env(1).

    Returns name -> path on the machine, and the declared names that weren't found, sorted.
    """
    found: dict[str, str] = {}
    missing: set[str] = set()
    for name in declared:
        path = search.find(name) if _NAME.fullmatch(name) or name in ALWAYS else None
        if path is None:
            missing.add(name)
            continue
        found[name] = path
        interpreter = _read_interpreter(path)
        if interpreter is not None and interpreter not in found:
            behind = search.find(interpreter)
            if behind is not None:
                found[interpreter] = behind
    return found, tuple(sorted(missing))


def locate_coreutils(search: Search) -> dict[str, str]:
    """Find sh, which and coreutils: name -> absolute path on the machine, of those that exist."""
    wanted = frozenset(ALWAYS)
    found: dict[str, str] = {}
    for folder in search.outside():
        # One listing is cheaper than a hundred lookups that mostly fail.
        for name in wanted.difference(found).intersection(_list_names(folder)):
            if search.is_trusted(path := f"{folder}/{name}"):
                found[name] = path
    return {name: found[name] for name in ALWAYS if name in found}


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def link_coreutils(folder: str, core: Mapping[str, str]) -> None:
    """Fill ``folder`` (which must not exist) with links to what ``locate_coreutils`` found."""
    Path(folder).mkdir(mode=0o755)
    for name, path in core.items():
        os.symlink(path, f"{folder}/{name}")


def build_toolbox(folder: str, declared: Iterable[str], search: Search) -> Toolbox:
    """Make ``folder`` for the tools declared beyond ``ALWAYS``, if there are any, and return what was found."""
    found, missing = locate_tools(declared, search)
    beyond = [name for name in found if name not in ALWAYS]
    if beyond:
        Path(folder).mkdir(mode=0o755)
    for name in beyond:
        _write_wrapper(f"{folder}/{name}", search.map_path(found[name]))
    return Toolbox(folder, found, missing)


def _write_wrapper(wrapper: str, target: str) -> None:
    quoted = os.fsencode(target).replace(b"'", b"'\\''")
    fd = os.open(wrapper, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755)
    with os.fdopen(fd, "wb") as stream:
        stream.write(b"#!/bin/sh\nexec '" + quoted + b'\' "$@"\n')


def _read_interpreter(path: str) -> str | None:
    try:
        with Path(path).open("rb") as stream:
            match = _ENV_SHEBANG.match(stream.read(256))
    except OSError:
        return None
    return match.group(1).decode("ascii") if match else None


def _is_executable(path: str) -> bool:
    return os.access(path, os.X_OK) and Path(path).is_file()


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _find_shims(environ: Mapping[str, str]) -> str | None:
    root = _find_pyenv_root(environ)
    return os.path.realpath(f"{root}/shims") if root else None


def _find_pyenv_root(environ: Mapping[str, str]) -> str | None:
    root = environ.get("PYENV_ROOT") or (f"{environ['HOME']}/.pyenv" if environ.get("HOME") else "")
    return root if root.startswith("/") and Path(root).is_dir() else None


def _resolve_shim(name: str, root: str, environ: Mapping[str, str]) -> str | None:
    """Find the program of a pyenv shim: PYENV_VERSION, ``.python-version`` upwards from ``root``, or the global one."""
    pyenv = _find_pyenv_root(environ)
    if pyenv is None:
        return None
    for version in _read_versions(pyenv, root, environ):
        if version == "system":
            return None
        candidate = f"{pyenv}/versions/{version}/bin/{name}"
        if _VERSION.fullmatch(version) and _is_executable(candidate):
            return candidate
    return None


def _read_versions(pyenv: str, root: str, environ: Mapping[str, str]) -> list[str]:
    if environ.get("PYENV_VERSION"):
        return environ["PYENV_VERSION"].split(":")
    files = [folder / ".python-version" for folder in (Path(root), *Path(root).parents)]
    for file in (*files, Path(pyenv) / "version"):
        try:
            with file.open("rb") as stream:
                return stream.read(1024).decode("ascii", "replace").split()
        except OSError:
            continue
    return []
