"""Ask a verifier the open questions of an inconclusive verdict, and restore its recorded answers.

No question is asked if facts decide, if the profile names no engine, or if a model may settle nothing that is open.
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
"""A larger text artifact is neither shown to a model nor citable."""


class Ask(Protocol):
    """Runs the engine that the inquiry's policy names."""

    def __call__(self, inquiry: Inquiry) -> Mapping[str, bytes]:
        """Return the files of the record, by path; they also record a failure."""


def ask_open_questions(
    facts: Facts,
    verdict: Verdict,
    read: Callable[[str], bytes],
    ask: Ask,
    base_profiles: Callable[[], Profiles | None],
) -> tuple[Facts, Mapping[str, bytes]]:
    """Ask about what keeps ``verdict``, the one on facts alone, from passing.

    ``read`` returns the bytes of an artifact, ``base_profiles`` the profiles of the base (None if it has none). Returns
    the facts with the answers, and the files of the record: none if nothing was asked.
    """
    policy = read_policy(facts.profile.rules)
    questions = select_open_questions(facts, verdict) if policy is not None else ()
    if policy is None or not questions:
        return facts, {}
    texts = {
        path: text for path in facts.evidence.artifacts if (text := read_text_artifact(facts.evidence, path, read))
    }
    inquiry = Inquiry(facts.task, questions, facts.evidence, texts, policy)
    problem = _find_foreign_engine(facts, base_profiles)
    files = dict(ask(inquiry) if problem is None else record_unasked(inquiry, problem))
    return replace(facts, verification=read_record(files.__getitem__, texts.get)), files


def _find_foreign_engine(facts: Facts, base_profiles: Callable[[], Profiles | None]) -> Problem | None:
    """Explain why the profile's engine isn't the base's: a change of policy files must not bring its own verifier."""
    if not facts.changed_policy_files:
        return None
    name, base = facts.profile.name, base_profiles()
    theirs = base.resolve(name).rules if base is not None and name in base.names else {}
    if theirs.get("verifier") == facts.profile.rules.get("verifier"):
        return None
    message = f"the profile {name} of the base names another verifier, or none"
    return Problem("not_in_base", message, "land the change of the policy by itself first")


def restore_verification(read: Callable[[str], bytes], evidence: Evidence) -> Verification:
    """Restore the answers of a published record. Asks nobody. Raises ValueError, LookupError for an invalid record."""
    return read_record(read, lambda path: read_text_artifact(evidence, path, read))


def read_text_artifact(evidence: Evidence, path: str, read: Callable[[str], bytes]) -> str | None:
    """Read an artifact that isn't JSON; None if there is no such text. Bytes that aren't UTF-8 become surrogates."""
    artifact = evidence.artifacts.get(path)
    if artifact is None or artifact.is_json or artifact.size > MAX_TEXT_BYTES:
        return None
    return read(path).decode("utf-8", "surrogateescape")
