"""A weakening: something that was checked is checked less. It must be accounted for, by evidence or by a disclosure.

A disclosure is a line that names one weakening by its id and says why::

    Weakens: <kind> <path>::<test> <id> (<reason>)

The id covers both forms of what was weakened (``sdk.weakening_ids``), so a line is void once they change again.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from verigate.formats.visible import escape_invisible

TOKEN = "Weakens"  # noqa: S105 - the word that begins a line, not a password

DISCLOSED = "WEAKENING_DISCLOSED"
"""The reason code of a weakening that a coding agent disclosed: a person has to accept it."""

PROFILE_KEY = "weakening"
EXPECTATIONS_KEY = "expectations"
FOLLOWED = "followed"
"""The class of a test whose expectation followed a change of behaviour."""
CHANGED = "expectation_changed"
"""The kind of finding about which the text suggests as much."""
NOT_COMPARABLE = "not_comparable"
"""The class of a test of which the runs show nothing."""
REPINNED = "hook_repinned"
"""The kind of finding about hooks from another commit of the same repository, as bots write it every week."""
OF_TESTS = ("test_", "assertion_", "expectation_")
"""How the kinds of findings about tests begin."""

_OTHERS = "default"


class Policy(StrEnum):
    """What a profile takes of a weakening without evidence, from the laxest to the strictest."""

    ALLOW = "allow"
    DISCLOSE = "disclose"
    REFUSE = "refuse"

    @property
    def rank(self) -> int:
        """0 for the laxest."""
        return list(Policy).index(self)


class Stage(StrEnum):
    """At which stage the gate is called, by the caller's word; decides which disclosures count and what they do."""

    AGENT = "agent"
    """A coding agent wants to end its turn: a disclosed weakening is left to the person."""

    COMMIT = "commit"
    """Before a commit, and by hand."""

    PUSH = "push"
    """Before a push."""

    CI = "ci"
    """Where the change lands: only what a reader of the history or the pull request sees counts."""


class Source(StrEnum):
    """Where a disclosure stands."""

    COMMIT = "commit"
    PULL_REQUEST = "pull request"
    CLAIM = "claim"


COUNTING: Mapping[Stage, frozenset[Source]] = {
    Stage.AGENT: frozenset(Source),
    Stage.COMMIT: frozenset(Source),
    Stage.PUSH: frozenset(Source),
    Stage.CI: frozenset({Source.COMMIT, Source.PULL_REQUEST}),
}
"""The sources whose disclosures count at a stage."""


class Weakening(Struct, frozen=True):
    """One weakening. ``test`` is None where it is about no test; ``id`` is as in ``sdk.weakening_ids``.

    ``follows`` is whether the key ``expectations`` decides: a change of behaviour, or of an interface, may be meant.
    """

    kind: str
    path: str
    test: str | None
    id: str
    follows: bool = False

    @property
    def target(self) -> str:
        """What is weakened, in one line of visible characters: ``path::test``, or the path alone."""
        return format_target(self.path, self.test)

    def format_line(self) -> str:
        """Format the line that discloses it, without a reason, so that it doesn't count yet."""
        return f"{TOKEN}: {self.kind} {self.target} {self.id} (…)"


class Disclosure(Struct, frozen=True):
    """A line that says that and why something is weakened.

    ``target`` is as written; ``reference`` is the id of the commit, or the name of the text that has the line.
    """

    kind: str
    target: str
    id: str
    reason: str
    source: Source
    reference: str


class AccountedBy(StrEnum):
    """What accounts for a weakening."""

    EVIDENCE = "evidence"
    DISCLOSURE = "disclosure"
    PROFILE = "profile"
    APPROVAL = "approval"
    """A person signed it, or approved the pull request (``domain.approval``)."""


class Accounted(Struct, frozen=True):
    """What accounts for a weakening.

    ``reference`` is the place in the evidence (``counterfactual.json#/tests/3``), the commit or the text with the
    disclosure, the key of the profile that allows it, or the approval with who gave it.
    """

    by: AccountedBy
    reference: str

    def document(self) -> dict[str, str]:
        """Return it as the verdict has it."""
        return {"by": self.by.value, "reference": self.reference}


class DisclosureFacts(Struct, frozen=True):
    """What is known about who calls the gate, and what was disclosed.

    ``disclosures`` are those of commits and of the pull request; those of the claim stand there. ``agent_marks`` say of
    which commits a coding agent made the change, each as a sentence. ``faults`` are lines that don't count, and why.
    ``removals`` maps names whose removal is said to what says so.
    """

    stage: Stage = Stage.COMMIT
    disclosures: tuple[Disclosure, ...] = ()
    agent_marks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    removals: Mapping[str, str] = MappingProxyType({})


def format_target(path: str, test: str | None) -> str:
    """Format what a disclosure names, on one line of visible characters."""
    return escape_invisible(path if test is None else f"{path}::{test}").replace("\n", "\\n")


def shorten_reference(reference: str) -> str:
    """Shorten the id of a commit to twelve digits, for people."""
    word, _, commit = reference.partition(" ")
    return f"{word} {commit[:12]}" if word == Source.COMMIT else reference


def choose_policy(setting: Any, kind: str) -> Policy:
    """Choose what the profile's ``weakening`` says of a kind of finding or a class of cells; refuse without a word."""
    chosen = setting.get(kind, setting.get(_OTHERS)) if isinstance(setting, Mapping) else setting
    return Policy(chosen) if chosen in set(Policy) else Policy.REFUSE


def choose_strictest(*policies: Policy) -> Policy:
    """Return the strictest policy."""
    return max(policies, key=lambda policy: policy.rank)


def combine_settings(first: Any, second: Any) -> Any:
    """Return a value of ``weakening`` that is as strict as both, in its shortest form."""
    kinds = {kind for setting in (first, second) if isinstance(setting, Mapping) for kind in setting}
    combined = {
        kind: choose_strictest(choose_policy(first, kind), choose_policy(second, kind)).value
        for kind in sorted(kinds | {_OTHERS})
    }
    rest = combined.pop(_OTHERS)
    overrides = {kind: word for kind, word in combined.items() if word != rest}
    return {_OTHERS: rest, **overrides} if overrides else rest


def normalise_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules with ``weakening`` in its shortest form, and its override for ``followed`` as ``expectations``.

    Where both name a policy for ``followed`` the stricter one counts.
    """
    setting = rules.get(PROFILE_KEY)
    if not isinstance(setting, Mapping):
        return dict(rules)
    normal = {key: value for key, value in rules.items() if key != PROFILE_KEY}
    if (followed := setting.get(FOLLOWED)) is not None:
        words = [word for word in (followed, rules.get(EXPECTATIONS_KEY)) if word is not None]
        normal[EXPECTATIONS_KEY] = choose_strictest(*map(Policy, words)).value
    if others := {kind: word for kind, word in setting.items() if kind != FOLLOWED}:
        normal[PROFILE_KEY] = combine_settings(others, others)
    return normal
