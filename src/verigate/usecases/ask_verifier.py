"""From an inconclusive verdict to a verifier's answers and back: what pipeline and replay share.

Nothing is asked where facts decide, where the profile names no engine, or where nothing is left that a model may
settle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec.structs import replace

from verigate.config.profiles import Profiles
from verigate.domain.artifact import Evidence
from verigate.domain.facts import Facts
from verigate.domain.verdict import Verdict
from verigate.domain.verification import Problem, Verification
from verigate.gate.verifier_answers import select_open_questions
from verigate.verifier.inquiry import Inquiry, record_unasked
from verigate.verifier.policy import read_policy
from verigate.verifier.record import read_record

MAX_TEXT_BYTES = 16 * 1024 * 1024
"""A text artifact beyond that is neither shown to a model nor can it be cited."""


class Ask(Protocol):
    """Starts the engine that the inquiry's policy names; filled by composition."""

    def __call__(self, inquiry: Inquiry) -> Mapping[str, bytes]:
        """The files of the record, by path. What goes wrong is in there."""


def ask_open_questions(
    facts: Facts,
    verdict: Verdict,
    read: Callable[[str], bytes],
    ask: Ask,
    base_profiles: Callable[[], Profiles | None],
) -> tuple[Facts, Mapping[str, bytes]]:
    """Ask about what holds ``verdict`` back, the one on facts alone.

    ``read`` gives the bytes of an artifact; ``base_profiles`` those of the base, None where it has none. Returns the
    facts with what was answered, and the files that hold it as evidence: none where nothing was asked.
    """
    policy = read_policy(facts.profile.rules)
    questions = select_open_questions(facts, verdict) if policy is not None else ()
    if policy is None or not questions:
        return facts, {}
    texts = {
        path: text for path in facts.evidence.artifacts if (text := read_text_artifact(facts.evidence, path, read))
    }
    inquiry = Inquiry(facts.task, questions, facts.evidence, texts, policy)
    problem = _foreign(facts, base_profiles)
    files = dict(ask(inquiry) if problem is None else record_unasked(inquiry, problem))
    return replace(facts, verification=read_record(files.__getitem__, texts.get)), files


def _foreign(facts: Facts, base_profiles: Callable[[], Profiles | None]) -> Problem | None:
    """Why the profile's engine isn't the base's: a change that may touch the policy must not bring its own verifier."""
    if not facts.changed_policy_files:
        return None
    name, base = facts.profile.name, base_profiles()
    theirs = base.resolve(name).rules if base is not None and name in base.names else {}
    if theirs.get("verifier") == facts.profile.rules.get("verifier"):
        return None
    message = f"the profile {name} of the base names another verifier, or none"
    return Problem("not_in_base", message, "land the change of the policy by itself first")


def restore_verification(read: Callable[[str], bytes], evidence: Evidence) -> Verification:
    """What a published record comes to. Calls nobody. Raises ValueError or LookupError for what is no record."""
    return read_record(read, lambda path: read_text_artifact(evidence, path, read))


def read_text_artifact(evidence: Evidence, path: str, read: Callable[[str], bytes]) -> str | None:
    """The content of an artifact that isn't JSON; None where there is no such text. Bytes that aren't UTF-8 stay."""
    artifact = evidence.artifacts.get(path)
    if artifact is None or artifact.is_json or artifact.size > MAX_TEXT_BYTES:
        return None
    return read(path).decode("utf-8", "surrogateescape")
