"""Hold what agents said to be done against the checks that their sessions ran. Pure: nothing is read or run here."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from verigate.domain.agent_history import (
    Backing,
    PastCheck,
    PastEdit,
    PastMessage,
    PastRun,
    PastSession,
    PastTurn,
    SaidDone,
    Topic,
)
from verigate.domain.statement_reading import StatementKind
from verigate.domain.task import Statement
from verigate.integrations.transcripts.checks import list_checks, list_edits
from verigate.statements.claims import read_text
from verigate.statements.commits.deeds import says_work

_TOPICS = {
    "code:tests": Topic.TESTS,
    "code:coverage": Topic.TESTS,
    "code:lint": Topic.LINT,
    "code:build": Topic.BUILD,
}
"""Which checks show what a statement needs; what other facts decide, any check may stand behind."""

_ORDER = tuple(Backing)
_SHOWN = 400
_REMEMBERED = 4096
"""Shell texts whose reading is kept: agents run the same again and again."""

IsPresent = Callable[[str], bool]
FindVerdict = Callable[[str, Sequence[str]], str]
"""Finds the status of the verdict on a claim with these statements in a folder; empty without one."""


class _Ran(Struct):
    """A run with what it checks, in the order of the session. ``edits`` counts the edits before it."""

    run: PastRun
    topic: Topic
    passed: bool | None
    narrowed: bool
    edits: int


def judge_sessions(
    sessions: Iterable[PastSession], is_present: IsPresent, find_verdict: FindVerdict
) -> Iterator[SaidDone]:
    """Judge every turn that ended by saying that something is done, once: resumed sessions repeat what was before."""
    seen: set[tuple[str, float, str]] = set()
    for session in sessions:
        for found in _judge_session(session, is_present, find_verdict):
            key = (found.host, found.moment, "\n".join(found.statements))
            if not found.moment or key not in seen:
                seen.add(key)
                yield found


def _judge_session(session: PastSession, is_present: IsPresent, find_verdict: FindVerdict) -> Iterator[SaidDone]:
    ran: list[_Ran] = []
    edited: dict[str, None] = {}
    edits = 0
    for turn in session.turns:
        for event in turn.events:
            written = [path for path in _list_written(event) if (_is_own(path, session.folder))]
            # A text that edits and checks is taken for one that edits first.
            edits += bool(written)
            edited.update(dict.fromkeys(_place(path, session.folder) for path in written))
            if isinstance(event, PastRun):
                ran += _read_run(event, edits)
        texts, done, topics = _read_message(turn)
        if not done:
            continue
        backing, last = (Backing.UNEDITED, None) if not edits else _weigh(ran, topics, edits)
        yield SaidDone(
            session.host,
            session.name,
            session.folder,
            turn.moment,
            tuple(text[:_SHOWN] for text in done),
            topics,
            backing,
            last,
            len(edited),
            sum(map(is_present, edited)),
            find_verdict(session.folder, texts),
        )


@lru_cache(_REMEMBERED)
def _list_edits(command: str) -> tuple[str, ...]:
    return tuple(list_edits(command))


@lru_cache(_REMEMBERED)
def _list_checks(command: str) -> tuple[PastCheck, ...]:
    return tuple(list_checks(command))


def _list_written(event: PastEdit | PastRun | PastMessage) -> tuple[str, ...]:
    if isinstance(event, PastEdit):
        return (event.path,)
    return _list_edits(event.command) if isinstance(event, PastRun) else ()


def _place(path: str, folder: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def _is_own(path: str, folder: str) -> bool:
    """Whether a file is of the session's folder: notes and scratch files elsewhere are no edit of the work."""
    return not path.startswith("~") and (not folder or f"{_place(path, folder)}/".startswith(f"{folder.rstrip('/')}/"))


def _read_run(run: PastRun, edits: int) -> Iterator[_Ran]:
    for check in _list_checks(run.command):
        # An end that isn't zero is never hidden: whatever failed, nothing is known to have passed.
        passed = run.succeeded if check.shown or run.succeeded is False else None
        yield _Ran(run, check.topic, passed, check.narrowed, edits)


def _read_message(turn: PastTurn) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Topic, ...]]:
    """Return all statements of a turn's message, those that say that something is done, and the topics of these."""
    read = read_text(turn.message) if turn.message else ()
    done = [each for each in read if _says_done(each)]
    capabilities = {name for each in done if each.reading is not None for name in each.reading.capabilities}
    topics = tuple(topic for topic in Topic if topic in {_TOPICS.get(name) for name in capabilities})
    return tuple(each.text for each in read), tuple(each.text for each in done), topics


def _says_done(statement: Statement) -> bool:
    reading = statement.reading
    claims = reading is not None and reading.kind is StatementKind.CLAIM and bool(reading.facts)
    return claims or says_work(statement.text)


def _weigh(ran: Sequence[_Ran], topics: Sequence[Topic], edits: int) -> tuple[Backing, PastRun | None]:
    """Weigh the runs for each stated topic, or all together without one; the worst counts."""
    wanted: Sequence[Topic | None] = topics or (None,)
    found = [_weigh_topic(ran, topic, edits) for topic in wanted]
    return max(found, key=lambda item: _ORDER.index(item[0]))


def _weigh_topic(ran: Sequence[_Ran], topic: Topic | None, edits: int) -> tuple[Backing, PastRun | None]:
    fit = [each for each in ran if topic is None or each.topic in {topic, Topic.ANY}]
    after = [each for each in fit if each.edits == edits]
    if not after:
        return (Backing.STALE, fit[-1].run) if fit else (Backing.NONE, None)
    # Without a stated topic the last run of each counts: a linter that passes doesn't excuse tests that fail.
    each_last = [_end_of([one for one in after if one.topic is kind]) for kind in dict.fromkeys(o.topic for o in after)]
    if any(backing is Backing.FAILED for backing, _ in each_last):
        return next(item for item in each_last if item[0] is Backing.FAILED)
    best = min(each_last, key=lambda item: _ORDER.index(item[0]))
    # A part is enough where nothing was said of the whole.
    return (Backing.PASSED, best[1]) if topic is None and best[0] is Backing.PART else best


def _end_of(ran: Sequence[_Ran]) -> tuple[Backing, PastRun]:
    """How the runs of one topic after the last edit ended: what passed stands until something fails."""
    backing, run = Backing.HIDDEN, ran[-1].run
    for each in ran:
        if each.passed is False:
            backing, run = Backing.FAILED, each.run
        elif each.passed and (backing is not Backing.PASSED or not each.narrowed):
            backing, run = Backing.PART if each.narrowed else Backing.PASSED, each.run
    return backing, run
