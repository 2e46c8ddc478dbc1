"""Collect what commits and pull request disclose, where the evidence has something that must be accounted for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from verigate.domain.artifact import Evidence
from verigate.domain.commit_text import CommitText
from verigate.domain.evidence_weakenings import list_messages, list_removed_names, list_weakenings
from verigate.domain.subject import SubjectKind
from verigate.domain.weakening import Disclosure, DisclosureFacts, Source, Stage, Weakening
from verigate.statements.agent_marks import find_agent_mark
from verigate.statements.disclosures import DisclosureReading, list_said, read_message, read_pull_request
from verigate.statements.removals import find_defined, find_removals
from verigate.usecases.prepare import Prepared
from verigate.usecases.request import Request

_BEING_MADE = "message"
"""Stands for the id of the commit that is being made."""

_MAX_DISCLOSURES = 5000
_MAX_MARKS = 20
_MAX_FAULTS = 100


def collect_disclosures(request: Request, prepared: Prepared, evidence: Evidence) -> DisclosureFacts:
    """Read the messages of the commits between base and subject, and the text of the pull request.

    What a commit says counts for the change as a whole. Lines about what the evidence doesn't have are left out: a long
    history may hold many. Raises SubjectError where git fails.
    """
    every = tuple(dict.fromkeys(list_weakenings(evidence)))
    weakened = {(each.kind, each.target) for each in every}
    commits = _list_commits(request, prepared)
    readings = [read_message(commit.message, f"commit {commit.id}") for commit in commits]
    if request.pull_request is not None:
        readings.append(read_pull_request(request.pull_request))
    readings += _read_prose(request, commits, every, list_messages(evidence))
    readings += _read_revert(prepared, commits, every)
    marks = [mark for mark in map(find_agent_mark, commits) if mark is not None]
    return DisclosureFacts(
        choose_stage(request),
        tuple(found for reading in readings for found in reading.disclosures if (found.kind, found.target) in weakened)[
            :_MAX_DISCLOSURES
        ],
        tuple(marks[:_MAX_MARKS]),
        _list_faults(readings),
        _find_removals(request, prepared, commits, list_removed_names(evidence)),
    )


def _read_prose(
    request: Request, commits: Sequence[CommitText], every: Sequence[Weakening], messages: Mapping[Weakening, str]
) -> Iterator[DisclosureReading]:
    """Read what commits and pull request say in prose of each weakening."""
    if not every:
        return
    from verigate.statements.prose_disclosures import Weakened, read_prose  # few changes weaken anything

    known = [Weakened(each.kind, each.path, each.test, messages.get(each, "")) for each in every]
    texts = [(Source.COMMIT, f"commit {each.id}", list_said(each.message, markdown=False)) for each in commits]
    if request.pull_request is not None:
        texts.append((Source.PULL_REQUEST, "pull request", list_said(request.pull_request, markdown=True)))
    for source, reference, lines in texts:
        read = read_prose(lines, known)
        found = (
            Disclosure(every[index].kind, every[index].target, every[index].id, sentence, source, reference)
            for index, sentence in read.covered
        )
        yield DisclosureReading(tuple(found), tuple(f"{reference}: {fault}" for fault in read.faults))


def _read_revert(
    prepared: Prepared, commits: Sequence[CommitText], every: Sequence[Weakening]
) -> Iterator[DisclosureReading]:
    """Read a change that is one commit, which undoes another one exactly and says so: it says all that comes back."""
    if not every or len(commits) != 1 or commits[0].id == _BEING_MADE:
        return
    said = next((line for line in commits[0].message.splitlines() if line.startswith("This reverts commit ")), None)
    if said is not None and prepared.workspace.read_reverted_lines(commits[0]) is not None:
        reference = f"commit {commits[0].id}"
        found = (Disclosure(each.kind, each.target, each.id, said, Source.COMMIT, reference) for each in every)
        yield DisclosureReading(tuple(found))


def _list_commits(request: Request, prepared: Prepared) -> tuple[CommitText, ...]:
    """List the commits of the change, the newest first, with the one that is being made."""
    commits = prepared.workspace.read_commits()
    if request.message is None:
        return commits
    if not request.amends and request.kind is not SubjectKind.COMMIT:
        return CommitText(_BEING_MADE, "", "", request.message), *commits
    # The first is the commit whose place the new one takes.
    return tuple(
        replace(commit, id=_BEING_MADE, message=request.message) if commit is commits[0] else commit
        for commit in commits
    )


def choose_stage(request: Request) -> Stage:
    """Return the stage that the caller named; without one a commit is judged as where it lands."""
    if request.stage is not None:
        return request.stage
    return Stage.CI if request.kind is SubjectKind.COMMIT else Stage.COMMIT


def _find_removals(
    request: Request, prepared: Prepared, commits: Sequence[CommitText], names: Collection[str]
) -> dict[str, str]:
    """Map those of ``names`` whose removal is said to who says it; who undoes a commit says what goes with it."""
    if not names:
        return {}
    undone = {
        name: f"commit {commit.id}"
        for commit in commits
        if commit.id != _BEING_MADE
        for name in find_defined(prepared.workspace.read_reverted_lines(commit) or (), names)
    }
    texts = [(f"commit {commit.id}", list_said(commit.message, markdown=False)) for commit in commits]
    if request.pull_request is not None:
        texts.append(("pull request", list_said(request.pull_request, markdown=True)))
    return undone | {name: reference for reference, lines in reversed(texts) for name in find_removals(lines, names)}


def _list_faults(readings: list[DisclosureReading]) -> tuple[str, ...]:
    return tuple(fault for reading in readings for fault in reading.faults)[:_MAX_FAULTS]
