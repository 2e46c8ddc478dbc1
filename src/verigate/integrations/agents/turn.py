"""An agent's turn from the prompt to the end: what is committed to, what is claimed, whether the agent may stop."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from verigate.errors import GateError
from verigate.integrations.agents.host import Turn
from verigate.integrations.agents.idle_turn import judge_idle
from verigate.integrations.agents.judged import Judged, no_verdict
from verigate.integrations.agents.session import Session, Sessions
from verigate.integrations.agents.statements import MAX_MESSAGE, sentences, since

MAX_INSTRUCTION = 4000
"""Characters of a prompt that are kept in a commitment."""

_PASSED = Judged(passed=True)

UNVERIFIED_SCHEMA = "verigate:unverified.v1"


class Look(Struct, frozen=True):
    """The working tree: its id, and whether it is as in the base."""

    tree: str
    is_empty: bool


class Gate(Protocol):
    """What a turn needs of the gate, in one repository."""

    def look(self, base: str | None) -> Look:
        """The working tree against ``base`` (None: HEAD)."""

    def head(self) -> str | None:
        """The commit that HEAD is, None without one."""

    def base_for(self, commitment: Mapping[str, Any]) -> str | None:
        """What to compare with: the commitment's base, or where history was rewritten what is left of it."""

    def task_in_force(self) -> str | None:
        """The task that somebody began for this repository, None without one."""

    def commitment_of(self, task_id: str) -> Mapping[str, Any]:
        """The commitment of a task as a document. Raises GateError."""

    def commit_to(self, document: Mapping[str, Any]) -> None:
        """Write a commitment, also over one that was changed."""

    def claim(self, task_id: str, actor: str, statements: Sequence[str]) -> bool:
        """Write a claim, unless somebody else wrote one; whether it was written."""

    def verify(self, task_id: str, base: str | None, *, reported: bool) -> Judged:
        """Verify the working tree. ``reported``: undecided statements hold nothing back. Never raises GateError."""

    def mark(self, task_id: str, document: Mapping[str, Any]) -> str:
        """Leave the UNVERIFIED mark; returns its path."""

    def unmark(self, task_id: str) -> None:
        """Take the mark away."""

    def has_mark(self, task_id: str) -> bool:
        """Whether the mark is where it was left."""

    def refs(self) -> Mapping[str, str]:
        """The local branches and the stash, and the commits that they are."""

    def left_elsewhere(self, before: Mapping[str, str]) -> tuple[str, ...]:
        """Those of them that have moved since ``before``, with commits that HEAD doesn't have."""

    def drop(self, task_id: str) -> None:
        """Remove a task of which there is nothing but the commitment."""

    def now(self) -> str:
        """The time, RFC 3339."""


class Kind(StrEnum):
    """How a turn ends. UNCHANGED: there was nothing to verify."""

    UNCHANGED = "unchanged"
    PASSED = "passed"
    BLOCKED = "blocked"
    RELEASED = "released"


class Ending(Struct, frozen=True):
    """``text`` is for the agent where it is blocked, for the person where it is released."""

    kind: Kind
    text: str = ""


def begin(host: str, turn: Turn, gate: Gate, sessions: Sessions) -> Session:
    """A prompt was submitted: write the commitment, remember the working tree.

    Hosts that send a blocked agent on with the gate's reason as a new prompt don't begin another turn by that.
    """
    known = sessions.read(turn.session)
    if known is not None and (turn.goes_on or (known.reason and _same(turn.prompt or "", known.reason))):
        return known
    sessions.forget_old()
    session = _task(host, turn.prompt, gate, sessions)
    if not session.given:
        gate.commit_to(session.commitment)
    # What is gone by now the person took away: an agent's own turn puts it back.
    marks = tuple(mark for mark in known.marks if gate.has_mark(mark[0])) if known is not None else ()
    origin = known.origin if known is not None and known.origin else gate.head() or ""
    session = replace(session, tree=gate.look(None).tree, marks=marks, origin=origin, refs=gate.refs())
    sessions.write(turn.session, None, session)
    return session


def begin_subagent(host: str, turn: Turn, gate: Gate, sessions: Sessions) -> None:
    """A subagent starts: what it finds is not its work."""
    parent = sessions.read(turn.session) or begin(host, replace(turn, agent=None), gate, sessions)
    instruction = parent.commitment.get("user_instruction")
    sessions.write(turn.session, turn.agent, replace(_own(host, instruction, gate), tree=gate.look(None).tree))


def keep_message(turn: Turn, sessions: Sessions) -> None:
    """The agent said something, in a host that doesn't repeat it when the turn ends."""
    known = sessions.read(turn.session)
    if known is not None and turn.message is not None:
        sessions.write(turn.session, None, replace(known, said=turn.message[-MAX_MESSAGE:]))


def end(host: str, turn: Turn, gate: Gate, sessions: Sessions, *, attempts: int) -> Ending:
    """The agent wants to stop. It is blocked at most ``attempts`` times in a turn.

    Raises OSError and GateError where nothing can be remembered or written down.
    """
    session = _find_session(host, turn, gate, sessions)
    _distrust_what_began(session, gate, sessions)
    base, look, judged = None, Look("", is_empty=False), None
    message = turn.message if turn.message is not None else session.said
    try:
        base = _base(session, gate)
        look = gate.look(base)
    except GateError as problem:
        judged = no_verdict("; ".join(map(str, problem.faults)))
    elsewhere = gate.left_elsewhere(session.refs) if session.origin else ()
    gone = _find_removed_mark(session, gate)
    if gone is not None:
        base = gone[1]
    elif turn.aborted or look.tree == session.tree != "" or (look.is_empty and not session.given):
        idle = _PASSED
        if not turn.aborted and session.origin:
            idle = _judge_idle(host, session, message, gate, elsewhere)
        if idle.passed:
            if session.given:
                # It is no part of the tree, and the next turn would take it as it is then.
                _put_back(session, gate)
            else:
                gate.drop(session.task_id)
            sessions.write(turn.session, turn.agent, replace(session, attempts=0, reason=""))
            return Ending(Kind.UNCHANGED, "\n".join(filter(None, (_name_elsewhere(elsewhere), idle.reason))))
        judged = idle
    if judged is None:
        judged = _judge(host, session, since(message, session.said), base, gate)
    if judged.passed:
        # All work since that base has passed now, with what was released before.
        for name in {name for name, since_base in session.marks if since_base == base}:
            gate.unmark(name)
        left = tuple(mark for mark in session.marks if mark[1] != base)
        sessions.write(turn.session, turn.agent, replace(_over(session, look), marks=left))
        return Ending(Kind.PASSED, _name_elsewhere(elsewhere))
    if judged.disclosed:
        # The agent can't do more about it: whether less is checked from now on is for the person to say.
        why = f"{host} disclosed weakenings, which a person has to accept"
        path = _leave_mark(session, judged, (base, look.tree), gate, why)
        sessions.write(turn.session, turn.agent, _release(session, look, base))
        return Ending(Kind.RELEASED, f"verigate: for you to accept: {judged.disclosed}; see {path}")
    if session.attempts < attempts:
        count = session.attempts + 1
        reason = f"{judged.reason}\nDo the work, then end your turn again (attempt {count} of {attempts})."
        said = message[-MAX_MESSAGE:]
        sessions.write(turn.session, turn.agent, replace(session, attempts=count, reason=reason, said=said))
        return Ending(Kind.BLOCKED, reason)
    why = f"{host} was allowed to stop after it was blocked {session.attempts} times"
    path = _leave_mark(session, judged, (base, look.tree), gate, why)
    sessions.write(turn.session, turn.agent, _release(session, look, base))
    return Ending(Kind.RELEASED, f"verigate: NOT VERIFIED after {attempts} attempts, allowed to stop; see {path}")


def _find_session(host: str, turn: Turn, gate: Gate, sessions: Sessions) -> Session:
    known = sessions.read(turn.session, turn.agent)
    if known is not None and (known.attempts or not turn.unannounced):
        return known
    # Nobody saw it begin: everything since HEAD is its work.
    new = _own(host, turn.prompt, gate) if turn.agent else _task(host, turn.prompt, gate, sessions)
    return replace(new, marks=known.marks if known is not None else ())


def _find_removed_mark(session: Session, gate: Gate) -> tuple[str, str | None] | None:
    """Find a mark that was there when the turn began and isn't now, and put it back: it goes by a pass."""
    gone = next((mark for mark in session.marks if not gate.has_mark(mark[0])), None)
    if gone is not None:
        why = "the mark was removed during a turn, without a pass"
        document = {"schema": UNVERIFIED_SCHEMA, "task_id": gone[0], "when": gate.now(), "why": why, "base": gone[1]}
        gate.mark(gone[0], document)
    return gone


def _judge_idle(host: str, session: Session, message: str, gate: Gate, elsewhere: tuple[str, ...]) -> Judged:
    try:
        origin = None if session.given else gate.base_for({"base": session.origin})
        is_empty = gate.look(origin).is_empty
    except GateError:
        return _PASSED
    said = since(message, session.said)
    return judge_idle(said, lambda: _judge(host, session, said, origin, gate), is_empty=is_empty, elsewhere=elsewhere)


def _name_elsewhere(elsewhere: tuple[str, ...]) -> str:
    return f"verigate: not in the working tree, and not verified: {', '.join(elsewhere)}" if elsewhere else ""


def _task(host: str, prompt: str | None, gate: Gate, sessions: Sessions) -> Session:
    """The task that somebody began, else one of the turn's own."""
    in_force = gate.task_in_force()
    if in_force is not None and in_force not in sessions.begun_tasks():
        return Session(in_force, gate.commitment_of(in_force), given=True, in_force=in_force)
    return replace(_own(host, prompt, gate), in_force=in_force)


def _distrust_what_began(session: Session, gate: Gate, sessions: Sessions) -> None:
    """A task that was begun during a turn may be the agent's, and ask for little: it is never taken."""
    now = gate.task_in_force()
    if now is not None and now != session.in_force:
        sessions.add_begun(now)


def _base(session: Session, gate: Gate) -> str | None:
    return None if session.given else gate.base_for(session.commitment)


def _judge(host: str, session: Session, message: str, base: str | None, gate: Gate) -> Judged:
    try:
        _put_back(session, gate)
        reported = gate.claim(session.task_id, f"hook:{host}", sentences(message))
    except GateError as problem:
        return no_verdict("; ".join(map(str, problem.faults)))
    return gate.verify(session.task_id, base, reported=reported)


def _put_back(session: Session, gate: Gate) -> None:
    """The commitment as it was when the turn began: what the agent made of it since counts for nothing."""
    try:
        stands = session.given and gate.commitment_of(session.task_id) == session.commitment
    except GateError:
        stands = False
    if not stands:
        gate.commit_to(session.commitment)


def _own(host: str, prompt: str | None, gate: Gate) -> Session:
    """A task of its own per turn: a commitment that was committed with the work must never change."""
    name = f"{host}-{secrets.token_hex(4)}"
    document: dict[str, Any] = {"task_id": name, "type": "code"}
    if prompt and prompt.strip():
        document["user_instruction"] = prompt[:MAX_INSTRUCTION].encode("utf-8", "replace").decode("utf-8")
    head = gate.head()
    return Session(name, {**document, "base": head} if head is not None else document)


def _leave_mark(session: Session, judged: Judged, where: tuple[str | None, str], gate: Gate, why: str) -> str:
    """Leave the mark of a turn that ends without a pass; return its path. ``where`` are its base and tree."""
    base, tree = where
    document = {
        "schema": UNVERIFIED_SCHEMA,
        "task_id": session.task_id,
        "when": gate.now(),
        "why": why,
        "refuted": [dict(item) for item in judged.refuted],
        "reason": judged.reason,
        "base": base,
        "tree": tree,
    }
    return gate.mark(session.task_id, document)


def _release(session: Session, look: Look, base: str | None) -> Session:
    return replace(_over(session, look), marks=(*session.marks, (session.task_id, base)))


def _over(session: Session, look: Look) -> Session:
    return replace(session, tree=look.tree, attempts=0, reason="", said="")


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())
