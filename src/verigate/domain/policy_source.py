"""Where the policy of a run comes from: a trusted ref of the repository, or the subject itself."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from verigate.domain import policy_names

POLICY_FILE = policy_names.POLICY_FILE
"""The repository's file that names its policy ref."""

POLICY_VARIABLE = "GATE_POLICY_REF"
"""The variable that names it for one environment."""

POLICY_OPTION = "--policy-ref"


class PolicyUse(StrEnum):
    """Which policy a run takes.

    JUDGE: that of the trusted ref if one is set, else the subject's. OWN: the subject's, whatever is set, for runs that
    judge nothing but a configuration in the making. TRY: the subject's, without what only a trusted policy may have.
    """

    JUDGE = "judge"
    OWN = "own"
    TRY = "try"


class PolicyRef(Struct, frozen=True):
    """A ref that somebody named. ``where`` is the place that named it, as messages show it."""

    name: str
    where: str


class PolicyWanted(Struct, frozen=True):
    """Which policy a run wants: the use, and the ref that the caller names, None for the repository's own setting.

    ``sets_base``: where nobody names a base, the subject is compared with the commit at which the work left the ref.
    ``is_settled``: the repository was asked already, so that without a ref there is none.
    """

    ref: PolicyRef | None = None
    use: PolicyUse = PolicyUse.JUDGE
    sets_base: bool = False
    is_settled: bool = False


JUDGED = PolicyWanted()
OWN_POLICY = PolicyWanted(use=PolicyUse.OWN)


class PolicySource(Struct, frozen=True):
    """The ref that the policy of a run was read from, the commit that it was then, and the digest of its files.

    ``digest`` is the sha256 over modes, contents and paths of the policy files, in hex. ``known`` says how a
    remote-tracking branch got to that commit, as its log here has it; "" of any other ref.
    """

    name: str
    where: str
    commit: str
    digest: str
    known: str = ""

    def document(self) -> dict[str, Any]:
        """Return what run.json and the verdict say about it."""
        known = {"known": self.known} if self.known else {}
        return {"name": self.name, "commit": self.commit, "digest": self.digest, "by": self.where, **known}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> PolicySource:
        """Read what ``document`` returned. Raises KeyError, TypeError."""
        return cls(document["name"], document["by"], document["commit"], document["digest"], document.get("known", ""))


class TriedPolicy(Struct, frozen=True):
    """What the subject's own policy would have decided. It decides nothing.

    ``digest`` is "" for one that can't be read. ``status`` is that of its verdict, None without one: then ``problem``
    says why. ``reasons`` are at most
    MOST_REASONS pairs of a reason code and the check.
    """

    digest: str
    status: str | None
    reasons: tuple[tuple[str, str], ...] = ()
    problem: str | None = None

    MOST_REASONS = 5

    def document(self) -> dict[str, Any]:
        """Return what run.json and the verdict say about it."""
        return {
            "digest": self.digest,
            "status": self.status,
            "reasons": [{"code": code, "check": check} for code, check in self.reasons],
            "problem": self.problem,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TriedPolicy:
        """Read what ``document`` returned. Raises KeyError, TypeError."""
        reasons = tuple((item["code"], item["check"]) for item in document["reasons"])
        return cls(document["digest"], document["status"], reasons, document["problem"])
