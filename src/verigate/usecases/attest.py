"""Attest a published verdict. Refuses what isn't sealed, intact, the last one in the chain of the task's verdicts, and
of the tree as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.domain.attestation import LONGEST_DAYS, AttestedSubject, Predicate, Terms
from verigate.domain.task_folder import VERDICT_FILE, task_path
from verigate.domain.verdict_chain import Anchor, Chain, find_chain_problems
from verigate.errors import EvidenceError, UsageError
from verigate.evidence.attestations.reading import check_statement, parse_moment
from verigate.evidence.attestations.signing_keys import Sign
from verigate.evidence.attestations.statements import build_statements
from verigate.evidence.store import Published
from verigate.evidence.verdict_chain import read_chain
from verigate.formats.strict_json import loads
from verigate.subject.git import Git
from verigate.usecases.replay import read_genuine

_SKEW = timedelta(minutes=5)
"""By so much clocks of two machines may differ."""

FindSubject = Callable[[Mapping[str, Any]], AttestedSubject]
"""verdict.json -> the objects that are attested. Raises EvidenceError where the tree isn't the one that was judged."""


class AttestationWanted(Struct, frozen=True):
    """What whoever attests asks for. ``expires`` is a number of days after the verdict, or a date (ISO 8601)."""

    expires: str
    verifier: str
    resource: str
    predicates: tuple[Predicate, ...]


class Made(Struct, frozen=True):
    """Envelopes, or statements that somebody else signs, and what is to be known about the chain of verdicts."""

    status: str
    subject: AttestedSubject
    expires: str
    documents: tuple[tuple[Predicate, dict[str, Any]], ...]
    notes: tuple[str, ...]


def attest(
    root: Path,
    folder: Path,
    wanted: AttestationWanted,
    *,
    find_subject: FindSubject,
    sign: Sign | None,
    now: str,
    environ: Mapping[str, str],
) -> Made:
    """Build and check the statements about the task of ``folder``, and sign them if ``sign`` is given.

    Raises EvidenceError, UsageError.
    """
    from verigate.evidence.attestations.envelope import seal

    published = read_genuine(root, folder)
    chain, notes = _find_chain(root, folder, environ)
    finished = _read_finished(published, now)
    expires = _compute_expiry(wanted.expires, finished, now)
    subject = find_subject(published.verdict)
    terms = Terms(wanted.verifier, wanted.resource, expires, chain)
    statements = build_statements(published, _read_tests(published), subject, terms)
    for kind, statement in statements:
        check_statement(statement, where=kind.uri)
    chosen = [(kind, statement) for kind, statement in statements if kind in wanted.predicates]
    if not chosen:
        names = ", ".join(kind.value for kind in wanted.predicates)
        hint = "a test-result needs tests.json, and where no test failed a verdict that passed"
        raise EvidenceError(f"this verdict has nothing to say as {names}", where=str(folder), hint=hint)
    documents = chosen if sign is None else [(kind, seal(statement, sign)) for kind, statement in chosen]
    return Made(str(published.verdict["status"]), subject, expires, tuple(documents), notes)


def _find_chain(
    root: Path, folder: Path, environ: Mapping[str, str]
) -> tuple[tuple[str, Anchor] | None, tuple[str, ...]]:
    chain = read_chain(root, environ, folder.name)
    if chain is None:
        return None, ()
    where = str(folder / VERDICT_FILE)
    digest = hashlib.sha256((folder / VERDICT_FILE).read_bytes()).hexdigest()
    if problems := find_chain_problems(chain, folder.name, digest, recorded=False):
        raise EvidenceError(
            f"not attested: {'; '.join(problems)}", where=where, hint=_suggest_chain(chain, folder.name)
        )
    if chain.tip is None or chain.tip.verdict_sha256 != digest:
        raise EvidenceError("not attested: its verdict is in no chain", where=where, hint=f"gate verify {folder.name}")
    place = task_path(folder.name, VERDICT_FILE)
    if _is_checked_out(root, environ, place):
        message = f"not attested: git tracks {place} as it is: a verdict that comes with a commit is its author's"
        hint = f"run `gate verify {folder.name}` here; git rm --cached -- {place}"
        raise EvidenceError(message, where=where, hint=hint)
    return (chain.ref, chain.tip.anchor), find_chain_problems(chain, folder.name, digest)


def _suggest_chain(chain: Chain, task_id: str) -> str:
    again = f"run `gate verify {task_id}` here"
    if chain.tip is None and chain.witness.newest is None:
        return f"{again}, or fetch the chain from where it was pushed: git fetch <remote> '+{chain.ref}:{chain.ref}'"
    if chain.witnessed and chain.broken is None:
        return again
    return f"{again}; the next verdict says for good what was lost before it"


def _is_checked_out(root: Path, environ: Mapping[str, str], place: str) -> bool:
    """Whether the index has a file as it is: it came with a commit, where ``git add --force`` brought it."""
    git = Git.from_root(str(root), environ)
    listed = git.run("--literal-pathspecs", "ls-files", "--stage", "-z", "--", place).decode("utf-8", "replace")
    blob = git.run("hash-object", "--no-filters", "--", place).decode("ascii").strip()
    return any(blob in entry.partition("\t")[0].split() for entry in listed.split("\0"))


def _read_finished(published: Published, now: str) -> datetime:
    where = str(published.folder / VERDICT_FILE)
    try:
        finished = parse_moment(published.verdict["metadata"]["finished"])
        hash_of_index = published.verdict["metadata"]["gate_version"]
    except (KeyError, TypeError, ValueError) as problem:
        raise EvidenceError(f"not attested: its metadata can't be read ({problem})", where=where) from problem
    if not isinstance(hash_of_index, str):
        raise EvidenceError("not attested: it doesn't say which gate made it", where=where)
    if finished > parse_moment(now) + _SKEW:
        hint = "set the clock of this machine, and run `gate verify` again"
        raise EvidenceError(f"not attested: it says that it was made later, {finished}", where=where, hint=hint)
    return finished


def _compute_expiry(text: str, finished: datetime, now: str) -> str:
    """Return the moment until which it counts, measured from the verdict: attesting again renews nothing."""
    where = "--expires"
    try:
        if text.isascii() and text.isdigit():
            end = finished + timedelta(days=int(text))
        else:
            end = datetime.fromisoformat(text)
            end = end if end.tzinfo is not None else end.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as problem:
        hint = "a number of days, or a date such as 2026-12-31"
        raise UsageError(f"{text!r} is not an expiry: {problem}", where=where, hint=hint) from problem
    if end > finished + timedelta(days=LONGEST_DAYS):
        raise UsageError(f"an attestation counts for at most {LONGEST_DAYS} days", where=where)
    if end <= parse_moment(now):
        hint = "verify again: a verdict counts from when it was made"
        raise UsageError(f"it would have expired on {end.isoformat(timespec='seconds')}", where=where, hint=hint)
    return end.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _read_tests(published: Published) -> Any:
    entry = published.index.get("tests.json")
    return None if entry is None or entry.get("producer") is None else loads(published.read("tests.json"))
