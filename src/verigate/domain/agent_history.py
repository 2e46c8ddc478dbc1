"""What transcripts of coding agents hold, and what their runs say of what was said to be done."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class PastMessage(Struct, frozen=True):
    """What the agent said, as it was written."""

    text: str


class PastEdit(Struct, frozen=True):
    """A file that the agent wrote, as its tool was given it."""

    path: str


class PastRun(Struct, frozen=True):
    """A shell text that ran. ``succeeded`` is None where the transcript doesn't say how it ended, ``exit_code`` where
    it says no number.
    """

    command: str
    succeeded: bool | None = None
    exit_code: int | None = None


PastEvent = PastMessage | PastEdit | PastRun


class PastTurn(Struct, frozen=True):
    """From a prompt to the next one, in order. ``moment`` is when it began, in seconds since 1970; 0 if unknown."""

    moment: float
    events: tuple[PastEvent, ...]

    @property
    def message(self) -> str:
        """What the agent said last: after its last edit and run. Empty where the turn ends with one of these."""
        texts: list[str] = []
        for event in reversed(self.events):
            if not isinstance(event, PastMessage):
                break
            texts.append(event.text)
        return "\n\n".join(reversed(texts))


class PastSession(Struct, frozen=True):
    """A session of an agent. ``folder`` is where it worked; empty where the transcript doesn't say it."""

    host: str
    name: str
    folder: str
    turns: tuple[PastTurn, ...]


class Unread(Struct, frozen=True):
    """What could not be read: whole files, and lines of others."""

    files: int = 0
    lines: int = 0


class Topic(StrEnum):
    """What a check is about. ANY: whatever the project checks, as ``gate verify`` does."""

    TESTS = "tests"
    LINT = "lint"
    BUILD = "build"
    ANY = "any"


class PastCheck(Struct, frozen=True):
    """A test, lint or build command in a shell text.

    ``narrowed``: it covers a part only. ``shown``: the exit code of the text is zero only if this command's is.
    """

    topic: Topic
    narrowed: bool
    shown: bool


class Backing(StrEnum):
    """Which runs stand behind what was said, the worst last. ``UNEDITED``: no file had been edited by then."""

    UNEDITED = "unedited"
    PASSED = "passed"
    PART = "part"
    HIDDEN = "hidden"
    STALE = "stale"
    NONE = "none"
    FAILED = "failed"

    @property
    def counts(self) -> bool:
        """Whether it is counted in the share: something had been edited."""
        return self is not Backing.UNEDITED


MEANING = {
    Backing.UNEDITED: "nothing had been edited by then",
    Backing.PASSED: "a check passed after the last edit",
    Backing.PART: "what passed after the last edit covers a part",
    Backing.HIDDEN: "a check ran after the last edit, and its exit code is hidden",
    Backing.STALE: "checks ran before the last edit only",
    Backing.NONE: "no check ran",
    Backing.FAILED: "the last check failed",
}
"""What each standing means, in words."""


class RepositoryToday(Struct, frozen=True):
    """What is there now of a folder that a session worked in. ``verdicts`` counts the intact ones by their status."""

    folder: str
    exists: bool
    root: str = ""
    verdicts: tuple[tuple[str, int], ...] = ()


class SaidDone(Struct, frozen=True):
    """A turn that ended by saying that something is done, and what its session's runs say of that.

    ``statements`` are the sentences that say it. ``last_run`` is the last check after the last edit, else before it.
    ``edited`` are the files that its session had edited by then, ``present`` those of them that are still there.
    ``verdict`` is the status of the gate's verdict on this very message, empty without one.
    """

    host: str
    session: str
    folder: str
    moment: float
    statements: tuple[str, ...]
    topics: tuple[Topic, ...]
    backing: Backing
    last_run: PastRun | None
    edited: int
    present: int
    verdict: str = ""
