"""Append to the chain of a task's verdicts in the user's repository, and read it. See ``domain.verdict_chain``.

A second record, the witness, lies in the user's state folder (``evidence.witness``). By it a chain that was cut,
removed or added to shows, where whoever did so didn't reach the user's folder as well.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
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
    Witness,
    describe_entry,
    parse_entry,
)
from verigate.errors import GateError
from verigate.evidence.witness import MOST_UNWRITTEN, list_witnessed_refs, read_witness, write_witness
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.subject.git import Git, is_git

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


def append_verdict(root: Path, environ: Mapping[str, str], entry: ChainEntry) -> tuple[str, ...]:
    """Append the entry, which gets its number and commit here; nothing outside git.

    Those come first that git didn't take before. Returns warnings: this machine can't remember it. Raises SubjectError
    where git can't: the repository is read-only, or somebody else has moved the ref meanwhile. The witness then
    remembers the verdict as one that git didn't take.
    """
    if not is_git(root):
        return ()
    ref = name_chain(root, entry.task_id)
    witness = read_witness(root, environ, ref)
    fault = None if witness.fault is None else f"what this machine remembered of {ref} is lost: {witness.fault}"
    try:
        added = _append(Git.from_root(str(root), environ), root, environ, ref, (*witness.unwritten, entry))
    except GateError:
        newest = witness.newest
        missed = replace(entry, number=newest.number + 1 if newest is not None else 1)
        unwritten = (*witness.unwritten, missed)[-MOST_UNWRITTEN:]
        write_witness(root, environ, ref, Witness(witness.last, unwritten))
        raise
    return tuple(filter(None, (fault, write_witness(root, environ, ref, Witness(added)))))


def _append(git: Git, root: Path, environ: Mapping[str, str], ref: str, entries: Sequence[ChainEntry]) -> ChainEntry:
    """Append the entries, of which there is one at least, by one change of the ref; return the last as it is there."""
    chain = _read(git, root, environ, ref, most=1)
    tip, lost = chain.tip, None
    last = chain.witness.last
    if last is not None and last.anchor != (tip and tip.anchor):
        chain = _read(git, root, environ, ref, most=MOST_ENTRIES)
        lost = None if chain.witnessed else last.anchor
    parent = old = tip.commit if tip is not None else None
    if tip is None and chain.broken is not None:
        parent = old = chain.broken.commit  # kept, so that it can be looked at
        lost = lost or Anchor(1, chain.broken.commit)
    number = max(tip.number if tip is not None else 0, lost.number if lost is not None else 0)
    for entry in entries:
        number += 1
        added = replace(entry, number=number, lost=lost)
        parent = _write(git, added, parent)
        added, lost = replace(added, commit=parent), None
    git.run("update-ref", "--no-deref", "--end-of-options", chain.ref, added.commit, old or "0" * len(added.commit))
    return added


def read_chain(root: Path, environ: Mapping[str, str], task_id: str) -> Chain | None:
    """Read the chain of a task; one without entries where there is none, None outside git. Raises SubjectError."""
    if not is_git(root):
        return None
    return read_chain_at(root, environ, name_chain(root, task_id))


def read_chain_at(root: Path, environ: Mapping[str, str], ref: str) -> Chain:
    """Read the chain of a ref, which must be one of a chain, of a repository of git. Raises SubjectError."""
    return _read(Git.from_root(str(root), environ), root, environ, ref, most=MOST_ENTRIES)


def list_chained_tasks(root: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the tasks of this working tree that have a chain, or had one by its witness; none outside git. Sorted."""
    if not is_git(root):
        return ()
    folder = name_chain(root, "")
    printed = Git.from_root(str(root), environ).run("for-each-ref", "--format=%(refname)", folder)
    refs = (*(line.decode("utf-8", "replace") for line in printed.splitlines()), *list_witnessed_refs(root, environ))
    names = {ref.removeprefix(folder) for ref in refs if ref.startswith(folder)}
    return tuple(sorted(name for name in names if TASK_ID.fullmatch(name)))


def _read(git: Git, root: Path, environ: Mapping[str, str], ref: str, *, most: int) -> Chain:
    witness = read_witness(root, environ, ref)
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
    last = witness.last
    return replace(found, witnessed=last is None or any(entry.anchor == last.anchor for entry in entries))


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


def explain_failure(problem: GateError) -> str:
    """Return the warning for a verdict that couldn't be added to its chain."""
    return f"this verdict is in no chain of verdicts: {problem.message}"
