"""What the statements of a claim state of one artifact, for the adapter that writes it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verigate.domain.task import Statement, StatementSource

if TYPE_CHECKING:
    from verigate.domain.statement_reading import StatedFact


def list_stated(claim: Mapping[str, Any], artifact: str, words: Collection[str]) -> Iterator[str]:
    """Yield what statements with one of ``words``, in lower case, state of ``artifact``: the names of its facts."""
    for fact in list_stated_facts(claim, artifact, words):
        yield fact.what


def list_stated_facts(claim: Mapping[str, Any], artifact: str, words: Collection[str] = ()) -> Iterator[StatedFact]:
    """Yield the facts of ``artifact`` that statements with one of ``words`` state; without words those of all."""
    stated = read_body(claim).get("statements")
    texts = [each for item in (stated if isinstance(stated, list) else ()) if (each := _read_text(item)) is not None]
    chosen = [each for each in texts if not words or any(word in each.text.lower() for word in words)]
    if not chosen:
        return
    from verigate.statements.claims import read_statements  # most claims say nothing of it

    for statement in read_statements(chosen):
        for fact in statement.reading.facts if statement.reading is not None else ():
            if fact.artifact == artifact:
                yield fact


def read_body(claim: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is claimed; empty in a document of another shape."""
    body = claim.get("claim", claim.get("claimed"))
    return body if isinstance(body, dict) else {}


def _read_text(item: Any) -> Statement | None:
    text, source = (item.get("text"), item.get("source")) if isinstance(item, dict) else (item, None)
    known = StatementSource(source) if source in set(StatementSource) else StatementSource.MESSAGE
    return Statement("", text, source=known) if isinstance(text, str) else None
