"""Decide if a task folder that somebody sent counts: its seal, its signatures, and that they are about this one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.attestation import EVIDENCE, Attested, AttestedSubject, Predicate
from verigate.domain.task_folder import INDEX_FILE, STATEMENTS_FILE, VERDICT_FILE
from verigate.domain.verdict import Status
from verigate.errors import EvidenceError
from verigate.evidence.store import Published, read_plain
from verigate.evidence.task_archive import SEALED, list_unsealed
from verigate.usecases.judged_files import find_changed_files
from verigate.usecases.replay import read_genuine
from verigate.usecases.verify_attestations import Expected, verify_attestations

if TYPE_CHECKING:
    from verigate.evidence.attestations.trusted_keys import TrustedKeys


_LARGEST_STATEMENTS = 4 * 1024 * 1024
_MOST_STATEMENTS = 16
_MOST_PARTS = 2000
"""Brackets and commas of all envelopes. Payloads are base64, and have none."""


class AcceptedPush(Struct, frozen=True):
    """A task that counts. ``resource`` names its repository as whoever signed did; ``finished`` is signed as well."""

    published: Published
    resource: str
    signers: tuple[str, ...]
    finished: str


def accept_push(root: Path, folder: Path, paths: Sequence[str], keys: TrustedKeys, now: str) -> AcceptedPush:
    """Check the task in ``folder``, whose files are ``paths``. Raises EvidenceError that says why it doesn't count."""
    content = _read_statements(folder, paths)
    _check_signed(folder, content, keys)
    published = read_genuine(root, folder)
    _check_files(published, paths)
    statements = _verify(content, published.verdict, keys, now)
    for statement in statements:
        _check_evidence(statement, published)
    resources = {statement.resource for statement in statements}
    if len(resources) != 1 or (resource := next(iter(resources))) is None:
        raise _refuse("its statements name several repositories")
    signers = tuple(dict.fromkeys(name for statement in statements for name in statement.signers))
    return AcceptedPush(published, resource, signers, str(published.verdict["metadata"]["finished"]))


def _read_statements(folder: Path, paths: Sequence[str]) -> bytes:
    if STATEMENTS_FILE not in paths:
        hint = f"run `gate attest {folder.name}`, and push again"
        raise EvidenceError(f"nobody signed it: there is no {STATEMENTS_FILE}", where=folder.name, hint=hint)
    content = read_plain(folder, STATEMENTS_FILE)
    if len(content) > _LARGEST_STATEMENTS or sum(map(content.count, (b"[", b"{", b","))) > _MOST_PARTS:
        raise _refuse(f"it has more than {_LARGEST_STATEMENTS:,} bytes, or too many parts")
    return content


def _check_signed(folder: Path, content: bytes, keys: TrustedKeys) -> None:
    """Refuse what no trusted key signed before any of it is parsed, by the bytes of the files that a VSA names.

    The index has the digests of all evidence. What a statement says of the two is checked when it has been read.
    """
    from verigate.evidence.attestations.envelope import open_envelope, read_envelopes

    documents = read_envelopes(content, where=STATEMENTS_FILE)
    if len(documents) > _MOST_STATEMENTS:
        raise _refuse(f"it has more than {_MOST_STATEMENTS} statements")
    payloads = [open_envelope(document, keys, where=STATEMENTS_FILE)[0] for document in documents]
    digests = [hashlib.sha256(read_plain(folder, name)).hexdigest().encode() for name in (INDEX_FILE, VERDICT_FILE)]
    if not any(all(digest in payload for digest in digests) for payload in payloads):
        raise _refuse("it is about another verdict, or other evidence")


def _check_files(published: Published, paths: Sequence[str]) -> None:
    known = {*published.index, *SEALED, *list_unsealed(published.run)}
    if strange := sorted(set(paths) - known):
        raise EvidenceError(f"the verdict has no file {strange[0][:200]!r}", where=published.folder.name)
    if STATEMENTS_FILE in published.index:
        raise _refuse("it is in the index of what it is about")
    if changed := find_changed_files(published.folder, published.run):
        raise EvidenceError(f"it is no longer as it was judged: {changed}", where=published.folder.name)


def _verify(content: bytes, verdict: Mapping[str, Any], keys: TrustedKeys, now: str) -> tuple[Attested, ...]:
    from verigate.evidence.attestations.envelope import open_envelope, read_envelopes

    where = STATEMENTS_FILE
    opened = [open_envelope(document, keys, where=where) for document in read_envelopes(content, where=where)]
    subject = AttestedSubject(str(verdict["subject"]["tree"]))
    report = verify_attestations(
        # The chain of verdicts is in the repository, which isn't here.
        opened,
        Expected((subject,), (Predicate.VSA,)),
        now=now,
        where=where,
        read_chain=lambda _ref: None,
    )
    return tuple(statement for statement in report.statements if statement.predicate is Predicate.VSA)


def _check_evidence(statement: Attested, published: Published) -> None:
    """A VSA names the digest of the index, which has those of all evidence, and that of verdict.json."""
    from verigate.evidence.attestations.statements import describe_evidence, hash_verdict

    found = (statement.statement or {})["predicate"].get(EVIDENCE)
    wanted = describe_evidence(published.verdict, hash_verdict(published.folder))
    if not isinstance(found, list) or not all(each in found for each in wanted):
        raise _refuse("it is about another verdict, or other evidence")
    passed = published.verdict["status"] == Status.PASS.value
    if statement.passed != passed:
        raise _refuse(f"it says {statement.says}, and the verdict {published.verdict['status']}")


def _refuse(message: str) -> EvidenceError:
    return EvidenceError(message, where=STATEMENTS_FILE, hint="run `gate attest` on the verdict that is pushed")
