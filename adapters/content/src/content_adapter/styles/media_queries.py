"""Whether a condition of a style sheet holds in a window of a desktop browser: yes, no, or only a browser knows."""

from __future__ import annotations

import re
from enum import Enum

_WINDOWS = ((1280.0, 720.0), (1920.0, 1080.0))
_FEATURE = re.compile(r"\(\s*([a-z-]+)\s*(?::\s*([^()]+?)\s*)?\)")
_SIZE = re.compile(r"(min|max)-(width|height)")
_LENGTH = re.compile(r"(\d+\.?\d*|\.\d+)(px|em|rem)?")
_KNOWN = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "orientation": "landscape",
    "hover": "hover",
    "pointer": "fine",
    "scripting": "enabled",
}


class Holds(Enum):
    """The answer to a condition."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"


def holds_on_screen(queries: str) -> Holds:
    """Answer a list of media queries."""
    answers = {_answer(query.strip()) for query in queries.lower().split(",")}
    if Holds.YES in answers:
        return Holds.YES
    return Holds.MAYBE if Holds.MAYBE in answers else Holds.NO


def _answer(query: str) -> Holds:
    if not query:
        return Holds.YES
    negated = re.match(r"not\s+(?!\()", query) is not None
    words = re.sub(r"^(?:not|only)\s+(?!\()", "", query)
    kind, _, features = words.partition(" and ") if not words.startswith("(") else ("all", "", words)
    if kind not in {"all", "screen"}:
        return Holds.YES if negated else Holds.NO
    answer = _answer_features(features)
    if negated:
        return {Holds.YES: Holds.NO, Holds.NO: Holds.YES}.get(answer, answer)
    return answer


def _answer_features(text: str) -> Holds:
    if _FEATURE.sub("", text).replace("and", "").strip():
        return Holds.MAYBE
    worst = Holds.YES
    for name, value in _FEATURE.findall(text):
        answer = _answer_feature(name, value)
        if answer is Holds.NO:
            return Holds.NO
        worst = Holds.MAYBE if answer is Holds.MAYBE else worst
    return worst


def _answer_feature(name: str, value: str) -> Holds:
    if name in _KNOWN:
        return Holds.YES if value in {"", _KNOWN[name]} else Holds.NO
    side, length = _SIZE.fullmatch(name), _LENGTH.fullmatch(value)
    if side is None or length is None:
        return Holds.MAYBE
    size = float(length[1]) * (16 if length[2] in {"em", "rem"} else 1)
    windows = [window[0] if side[2] == "width" else window[1] for window in _WINDOWS]
    fits = {window >= size if side[1] == "min" else window <= size for window in windows}
    return Holds.MAYBE if len(fits) > 1 else Holds.YES if fits.pop() else Holds.NO
