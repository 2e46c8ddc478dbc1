"""Compare attestations with what is expected: subject, expiry, names, and the entry in the chain of verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta

from msgspec import Struct

from verigate.domain.attestation import Attested, AttestedSubject, Predicate
from verigate.domain.verdict_chain import Chain
from verigate.errors import EvidenceError
from verigate.evidence.attestations.reading import parse_moment, read_statement

_SKEW = timedelta(minutes=5)

Opened = tuple[bytes, tuple[str, ...]]
"""The payload of an envelope whose signatures hold, and who signed."""


class Expected(Struct, frozen=True):
    """What the statements must be about. ``subjects`` are the trees, with their commits, one of which it must be.

    ``predicates`` must all be there. ``max_age_days`` limits the age of the verification; ``resource`` and ``verifier``
    are compared where they are given.
    """

    subjects: tuple[AttestedSubject, ...]
    predicates: tuple[Predicate, ...] = ()
    max_age_days: int | None = None
    resource: str | None = None
    verifier: str | None = None


class AttestationReport(Struct, frozen=True):
    """What was verified. ``passed``: every statement says so, and one of them is about the verdict as a whole."""

    statements: tuple[Attested, ...]
    passed: bool
    notes: tuple[str, ...]


def verify_attestations(
    opened: Sequence[Opened],
    expected: Expected,
    *,
    now: str,
    where: str,
    read_chain: Callable[[str], Chain | None],
) -> AttestationReport:
    """Compare what the envelopes say with what is expected; ``read_chain`` reads the chain of a ref, if it is here.

    Raises EvidenceError for whatever doesn't fit: that is no verdict of fail, nothing is known then.
    """
    found = tuple(read_statement(payload, signers, where=where) for payload, signers in opened)
    notes: list[str] = []
    for statement in found:
        _check_subject(statement, expected, where)
        _check_time(statement, expected, now, where)
        _check_names(statement, expected, where)
        notes += _check_chain(statement, read_chain, where)
    kinds = {statement.predicate for statement in found}
    missing = [kind for kind in expected.predicates if kind not in kinds]
    if missing:
        there = ", ".join(sorted(kind.value for kind in kinds))
        message = f"there is no {missing[0].value} ({missing[0].uri}) in it, but {there}"
        raise EvidenceError(message, where=where, hint="name what is there with --predicate")
    _check_whole(kinds, expected, where)
    return AttestationReport(found, all(statement.passed for statement in found), tuple(dict.fromkeys(notes)))


def _check_whole(kinds: AbstractSet[Predicate], expected: Expected, where: str) -> None:
    """Refuse what is left of a bundle, unless the caller says that it is enough: lines can be taken out of it."""
    names = ", ".join(sorted(kind.value for kind in kinds))
    if kinds == {Predicate.TEST_RESULT}:
        if expected.max_age_days is not None:
            message = "its test-result doesn't say when it was made, so --max-age can't hold"
            raise EvidenceError(message, where=where, hint="take the bundle with all that was attested")
        if Predicate.TEST_RESULT in expected.predicates:
            return
        message = "it only says how the tests ran, and nothing of the verdict"
    elif Predicate.VSA in kinds or expected.predicates or expected.max_age_days is not None:
        return
    else:
        message = f"there is no vsa in it, but {names} alone"
    raise EvidenceError(message, where=where, hint=f"if that is enough: --predicate {names.replace(', ', ',')}")


def _check_subject(found: Attested, expected: Expected, where: str) -> None:
    same_tree = [subject for subject in expected.subjects if subject.tree == found.subject.tree]
    if not same_tree:
        wanted = " or ".join(subject.tree for subject in expected.subjects)
        message = f"its {found.predicate.value} is about the tree {found.subject.tree}, and not about {wanted}"
        raise EvidenceError(message, where=where, hint="check out what was attested, or name it with --ref")
    commit = found.subject.commit
    known = [subject.commit for subject in same_tree if subject.commit is not None]
    if commit is not None and known and commit not in known:
        message = f"its {found.predicate.value} is about the commit {commit}, and not about {known[0]}"
        raise EvidenceError(message, where=where, hint="the tree is the same; name the commit with --ref")


def _check_time(found: Attested, expected: Expected, now: str, where: str) -> None:
    moment = parse_moment(now)
    if found.expires is not None and parse_moment(found.expires) <= moment:
        message = f"its {found.predicate.value} expired on {found.expires}"
        raise EvidenceError(message, where=where, hint="verify the change again, and attest that")
    if found.moment is not None and parse_moment(found.moment) > moment + _SKEW:
        message = f"its {found.predicate.value} was made later than now, {found.moment}"
        raise EvidenceError(message, where=where, hint="set the clock of this machine")
    if expected.max_age_days is None:
        return
    if found.moment is None:
        if found.predicate is Predicate.TEST_RESULT:
            return  # it has no time of its own; the others are of the same run
        message = f"its {found.predicate.value} doesn't say when it was made, so --max-age can't hold"
        raise EvidenceError(message, where=where)
    if parse_moment(found.moment) + timedelta(days=expected.max_age_days) < moment:
        message = f"its {found.predicate.value} is of {found.moment}, older than {expected.max_age_days} days"
        raise EvidenceError(message, where=where, hint="verify the change again, and attest that")


def _check_names(found: Attested, expected: Expected, where: str) -> None:
    for name, wanted, said in (
        ("resourceUri", expected.resource, found.resource),
        ("verifier.id", expected.verifier, found.verifier),
    ):
        if wanted is not None and said is not None and said != wanted:
            raise EvidenceError(f"its {name} is {said!r}, and not {wanted!r}", where=where)


def _check_chain(found: Attested, read_chain: Callable[[str], Chain | None], where: str) -> list[str]:
    """Return notes about the chain. Raises EvidenceError if it is here and doesn't hold the attested verdict."""
    if found.chain is None:
        return []
    ref, anchor = found.chain
    chain = read_chain(ref)
    if chain is None:
        return [
            f"the chain {ref} is not in this repository: whether it still holds verdict {anchor.number} isn't known"
        ]
    if any(entry.anchor == anchor for entry in chain.entries):
        last = chain.entries[0]
        if last.anchor == anchor:
            return []
        return [
            f"after the attested verdict, number {anchor.number}, came more; the last, {last.number}, was {last.status}"
        ]
    last_one = f"ends with number {chain.entries[0].number}" if chain.entries else "is empty or gone"
    attested = f"verdict {anchor.number} ({anchor.commit[:12]}), which is attested"
    message = f"{attested}, is not in the chain {ref}, which {last_one}"
    hint = "verdicts were taken away or put in another order; fetch the chain from where it was pushed"
    raise EvidenceError(message, where=where, hint=hint)
