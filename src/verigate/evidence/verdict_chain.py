"""Append to the chain of a task's verdicts in the user's repository, and read it. See ``domain.verdict_chain``.

A second record, the witness, lies in the user's state folder: the newest entry of each chain of this repository. By it
a chain that was cut or removed shows, where whoever did so didn't reach the user's folder as well.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from verigate.domain.task import TASK_ID
from verigate.domain.verdict_chain import (
    CHAINS,
    MOST_ENTRIES,
    WORKTREE_CHAINS,
    Anchor,
    BrokenEntry,
    Chain,
    ChainEntry,
    describe_entry,
    parse_entry,
)
from verigate.errors import GateError
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.subject.git import Git, is_git
from verigate.subject.whole_file import write_whole
from verigate.user_folders import UserFolders

_AUTHOR = {"NAME": "Verigate", "EMAIL": "verigate@localhost"}
_LONGEST_ENTRY = 10_000
"""Bytes of a commit that can be an entry."""


def name_chain(root: Path, task_id: str) -> str:
    """Return the ref of a task's chain. Linked working trees share their refs, and each has chains of its own."""
    try:
        link = (root / ".git").read_text("utf-8", "surrogateescape") if (root / ".git").is_file() else ""
    except OSError:
        link = ""
    private = Path(link.removeprefix("gitdir:").strip())
    if private.parent.name == "worktrees":
        return f"{WORKTREE_CHAINS}/{hashlib.sha256(os.fsencode(private.name)).hexdigest()[:16]}/{task_id}"
    return f"{CHAINS}/{task_id}"


def append_verdict(root: Path, environ: Mapping[str, str], entry: ChainEntry) -> ChainEntry | None:
    """Append the entry, which gets its number and commit here; returns it, None outside git.

    Raises SubjectError where git can't: the repository is read-only, or somebody else has moved the ref meanwhile.
    """
    if not is_git(root):
        return None
    git = Git.from_root(str(root), environ)
    ref = name_chain(root, entry.task_id)
    chain = _read(git, root, environ, ref, most=1)
    tip, lost = chain.tip, None
    if chain.witness is not None and chain.witness != (tip and tip.anchor):
        chain = _read(git, root, environ, ref, most=MOST_ENTRIES)
        lost = None if chain.witnessed else chain.witness
    parent = tip.commit if tip is not None else None
    if tip is None and chain.broken is not None:
        parent = chain.broken.commit  # kept, so that it can be looked at
        lost = lost or Anchor(1, chain.broken.commit)
    number = max(tip.number if tip is not None else 0, lost.number if lost is not None else 0) + 1
    entry = replace(entry, number=number, lost=lost)
    commit = _write(git, entry, parent)
    none = "0" * len(commit)
    git.run("update-ref", "--no-deref", "--end-of-options", chain.ref, commit, parent or none)
    entry = replace(entry, commit=commit)
    _write_witness(root, environ, chain.ref, entry.anchor)
    return entry


def read_chain(root: Path, environ: Mapping[str, str], task_id: str) -> Chain | None:
    """Read the chain of a task; one without entries where there is none, None outside git. Raises SubjectError."""
    if not is_git(root):
        return None
    return read_chain_at(root, environ, name_chain(root, task_id))


def read_chain_at(root: Path, environ: Mapping[str, str], ref: str) -> Chain:
    """Read the chain of a ref, which must be one of a chain, of a repository of git. Raises SubjectError."""
    return _read(Git.from_root(str(root), environ), root, environ, ref, most=MOST_ENTRIES)


def list_chained_tasks(root: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the tasks that have a chain in this working tree, sorted; none outside git."""
    if not is_git(root):
        return ()
    folder = name_chain(root, "")
    printed = Git.from_root(str(root), environ).run("for-each-ref", "--format=%(refname)", folder)
    names = (line.decode("utf-8", "replace").removeprefix(folder) for line in printed.splitlines())
    return tuple(sorted(name for name in names if TASK_ID.fullmatch(name)))


def _read(git: Git, root: Path, environ: Mapping[str, str], ref: str, *, most: int) -> Chain:
    witness = _read_witness(root, environ, ref)
    names, more = [ref], False
    if most > 1:
        listed = git.attempt("rev-list", f"--max-count={most + 1}", "--first-parent", "--end-of-options", ref, "--")
        listed_names = listed.stdout.decode("ascii", "replace").split() if listed.returncode == 0 else []
        names, more = listed_names[:most] or names, len(listed_names) > most
    entries: list[ChainEntry] = []
    broken = None
    for commit, kind, content in _read_objects(git, names):
        try:
            entries.append(_parse_object(commit, kind, content))
        except (ValueError, StrictJsonError) as problem:
            broken = BrokenEntry(commit, str(problem))
            break
    found = Chain(ref, tuple(entries), broken, not more and broken is None, witness)
    return replace(found, witnessed=witness is None or any(entry.anchor == witness for entry in entries))


def _read_objects(git: Git, names: Sequence[str]) -> Iterator[tuple[str, str, bytes]]:
    """Yield id, type and content of these objects, up to the first that isn't there."""
    printed = git.run("cat-file", "--batch", stdin="".join(f"{name}\n" for name in names).encode())
    at = 0
    while at < len(printed):
        end = printed.index(b"\n", at)
        words = printed[at:end].decode("ascii", "replace").split(" ")
        if len(words) != 3 or not words[2].isdigit():
            return
        start, size = end + 1, int(words[2])
        yield words[0], words[1], printed[start : start + size]
        at = start + size + 1


def _parse_object(commit: str, kind: str, content: bytes) -> ChainEntry:
    if kind != "commit" or len(content) > _LONGEST_ENTRY:
        raise ValueError(f"it is a {kind} of {len(content)} bytes")
    # git takes the content of an object for what its name says, which whoever can write there needn't have kept to.
    digest = hashlib.new("sha1" if len(commit) == 40 else "sha256", usedforsecurity=False)
    digest.update(b"commit %d\0%s" % (len(content), content))
    if digest.hexdigest() != commit:
        raise ValueError("its content isn't what its id says")
    headers, _, message = content.partition(b"\n\n")
    if headers.count(b"\nparent ") > 1:
        raise ValueError("it joins two chains")
    return parse_entry(commit, loads(message.partition(b"\n\n")[2]))


def _write(git: Git, entry: ChainEntry, parent: str | None) -> str:
    # The empty tree. git knows it without having it, but whoever fetches the chain wants it there.
    tree = git.run("mktree").decode("ascii").strip() if parent is None else f"{parent}^{{tree}}"
    body = json.dumps(describe_entry(entry), sort_keys=True)
    message = f"Verdict {entry.number} of {entry.task_id}: {entry.status}\n\n{body}\n"
    seconds = int(datetime.fromisoformat(entry.finished).timestamp())
    named = {f"GIT_{who}_{what}": text for who in ("AUTHOR", "COMMITTER") for what, text in _AUTHOR.items()}
    dates = {f"GIT_{who}_DATE": f"{seconds} +0000" for who in ("AUTHOR", "COMMITTER")}
    git = git.with_variables(**named, **dates)
    parents = ("-p", parent) if parent is not None else ()
    options = ("-c", "i18n.commitEncoding=UTF-8")
    return git.run(*options, "commit-tree", *parents, tree, stdin=message.encode()).decode("ascii").strip()


def _witness_file(root: Path, environ: Mapping[str, str], ref: str) -> Path | None:
    """Name the file by the repository's ``.git`` and its inode: a new repository in its place starts again."""
    folder = UserFolders(environ, str(root)).state("chains")
    if folder is None:
        return None
    place = root / ".git"
    try:
        status = place.stat()
    except OSError:
        return None
    key = json.dumps([str(place.resolve()), status.st_dev, status.st_ino if place.is_dir() else 0, ref])
    return Path(folder) / hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def _read_witness(root: Path, environ: Mapping[str, str], ref: str) -> Anchor | None:
    path = _witness_file(root, environ, ref)
    if path is None:
        return None
    try:
        number, commit = path.read_text("ascii").split()
        return Anchor(int(number), commit)
    except (OSError, ValueError):
        return None


def _write_witness(root: Path, environ: Mapping[str, str], ref: str, anchor: Anchor) -> None:
    path = _witness_file(root, environ, ref)
    if path is None:
        return
    with suppress(OSError):  # it is a second record; the chain itself stands
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, f"{anchor.number} {anchor.commit}\n".encode("ascii"))


def explain_failure(problem: GateError) -> str:
    """Return the warning for a verdict that couldn't be added to its chain."""
    return f"this verdict is in no chain of verdicts: {problem.message}"
