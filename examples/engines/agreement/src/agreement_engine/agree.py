"""What two answers to the same prompt say together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def combine(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the document that both answers agree on; None unless both are documents with the same mark.

    A question that they don't decide alike is left open. The citations are those of the first.
    """
    if not isinstance(first.get("mark"), str) or first["mark"] != second.get("mark"):
        return None
    words = {name: item.get("answer") for name, item in _list_answers(second)}
    answers = [
        item if words.get(name) == item.get("answer") else _abstain(name, "the two answers differ")
        for name, item in _list_answers(first)
    ]
    return {"mark": first["mark"], "answers": answers}


def _list_answers(document: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    listed = document.get("answers")
    items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return [(item["question"], item) for item in items if isinstance(item.get("question"), str)]


def _abstain(question: str, why: str) -> dict[str, Any]:
    return {"question": question, "answer": "abstain", "citations": [], "why": why}
