"""Find the names of a subject for people: the repository, and the commit that it is or stands on."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote, urlsplit

from verigate.domain.subject import SubjectNames
from verigate.errors import SubjectError
from verigate.subject.git import Git

_LONGEST = 200
_SCP_ADDRESS = re.compile(r"(?:[^/]*@)?[^/:@]+:(?!//)(.+)")


def name_folder(root: str) -> SubjectNames:
    """Name a plain folder."""
    return SubjectNames(_name_of_folder(root))


def name_subject(git: Git, root: str, tip: str | None) -> SubjectNames:
    """Name a subject of a git repository; ``tip`` is its commit. Never raises: what can't be read is left out."""
    try:
        ends = [git.begin("config", "--get", "remote.origin.url")]
        ends += [git.begin("cat-file", "commit", tip)] if tip is not None else []
        address, *commit = [end() for end in ends]
    except SubjectError:
        return SubjectNames(_name_of_folder(root), tip)
    printed = address.stdout.decode("utf-8", "replace").strip() if address.returncode == 0 else ""
    title = _read_title(commit[0].stdout) if commit and commit[0].returncode == 0 else None
    return SubjectNames(name_remote(printed) or _name_of_folder(root), tip, title)


def name_remote(address: str) -> str | None:
    """Return ``owner/name`` of a remote's address, or the name alone; None for a path of this machine.

    Host, credentials, query and fragment are left out: they may hold a token.
    """
    try:
        if "://" in address:
            parts = urlsplit(address)
            path = unquote(parts.path) if parts.scheme != "file" else ""
        else:
            found = _SCP_ADDRESS.fullmatch(address)
            path = found[1] if found is not None else ""
    except ValueError:
        return None
    words = [word.rpartition("@")[2] for word in path.removesuffix("/").removesuffix(".git").split("/") if word]
    return "/".join(words[-2:])[:_LONGEST] or None


def _name_of_folder(root: str) -> str:
    return (os.path.basename(root.rstrip("/")) or "/")[:_LONGEST]


def _read_title(commit: bytes) -> str | None:
    message = commit.partition(b"\n\n")[2].decode("utf-8", "replace").strip()
    return message.partition("\n")[0].strip()[:_LONGEST] or None
