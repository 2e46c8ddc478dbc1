"""What a verifier was asked and what it answered, from the record that was published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.task_folder import VERIFIER_RECORD
from verigate.domain.verdict import Verdict
from verigate.errors import EvidenceError
from verigate.evidence.store import Published
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.reporting.verifier import summarise_verifier
from verigate.serve.addresses import artifact_address
from verigate.serve.task_page.model import ModelCall, Transcript

_LONGEST = 60_000
"""Characters shown of a prompt or an answer; the whole is in its file."""

_MOST_CALLS = 100


def build_transcript(
    verdict: Verdict, published: Published, repository: str, task_id: str, statements: Mapping[str, str]
) -> Transcript | None:
    """Build the transcript of a published verdict; None where nobody was asked. ``statements`` are texts by id."""
    if VERIFIER_RECORD not in published.index:
        return None
    try:
        record = loads(published.read(VERIFIER_RECORD))
        asked = {str(name): str(text) for name, text in record["questions"].items()}
        texts = {name: statements.get(statement, statement) for name, statement in asked.items()}
        calls = tuple(_read_calls(record, published, (repository, task_id), texts))
    except (AttributeError, EvidenceError, KeyError, StrictJsonError, TypeError, ValueError) as problem:
        return Transcript("", (), f"the record can't be read: {problem}")
    lack = record.get("problem")
    said = f"{lack['code']}: {lack['message']}" if lack else ""
    return Transcript(summarise_verifier(verdict.verifier) if verdict.verifier is not None else "", calls, said)


def _read_calls(
    record: Mapping[str, Any], published: Published, task: tuple[str, str], texts: Mapping[str, str]
) -> Iterator[ModelCall]:
    for call in record["calls"][:_MOST_CALLS]:
        answer = loads(published.read(call["answer"]["path"]))
        prompt = published.read(call["prompt"]["path"]).decode("utf-8", "replace")
        error = ": ".join(str(answer[name]) for name in ("errorCode", "errorMessage") if answer.get(name))
        usage = call.get("usage") or {}
        tokens = ", ".join(f"{number} {name.removesuffix('Tokens')} tokens" for name, number in sorted(usage.items()))
        yield ModelCall(
            tuple((str(name), texts.get(str(name), "")) for name in call["questions"]),
            int(call["attempt"]),
            prompt[:_LONGEST],
            artifact_address(*task, call["prompt"]["path"]),
            str(answer.get("output") or "")[:_LONGEST],
            error,
            tokens,
        )
