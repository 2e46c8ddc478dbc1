"""Split the tokens of a sentence at punctuation and conjunctions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.statements.tokenizer import BAD_MARKS, GOOD_MARKS, Token

TOPICS = frozenset({"tests", "suites", "types", "lint", "build", "cov", "link", "endpoint", "image", "quote", "path"})
_MERGED = {
    ("tests", "suite"): "tests",
    ("tests", "suites"): "suites",
    ("type", "check"): "types",
    ("type", "checks"): "types",
    ("type", "error"): "typeerror",
    ("types", "error"): "typeerror",
    ("tests", "cases"): "tests",
    ("tests", "results"): "tests",
    ("tests", "status"): "tests",
    ("tests", "run"): "tests",
    ("this", "change"): "diff",
    ("this", "diff"): "diff",
    ("source", "file"): "file",
    ("in", "place"): "active",
    ("in", "total"): "total",
    ("in", "effect"): "active",
    ("article", "article"): "article",
    ("cov", "report"): "cov",
    ("tests", "count"): "tests",
    ("bearer", "auth"): "auth",
    ("api", "key"): "auth",
    ("missing", "alt"): "noalt",
    ("no", "alt"): "noalt",
    ("noalt", "text"): "noalt",
    ("noalt", "attribute"): "noalt",
    ("alt", "text"): "alt",
    ("suite", "tests"): "tests",
    ("tests", "cov"): "cov",
    ("code", "cov"): "cov",
    ("line", "cov"): "cov",
    ("lint", "check"): "lint",
    ("lint", "checks"): "lint",
    ("lint", "step"): "lint",
    ("lint", "results"): "lint",
    ("lint", "status"): "lint",
    ("build", "step"): "build",
    ("build", "checks"): "build",
    ("tests", "checks"): "tests",
    ("build", "status"): "build",
    ("link", "check"): "link",
    ("link", "checks"): "link",
    ("rate", "limit"): "ratelimit",
    ("rate", "limiter"): "ratelimit",
    ("not", "longer"): "nolonger",
    ("no", "longer"): "nolonger",
    ("no", "gt"): "nolonger",
    ("alt", "attribute"): "alt",
    ("exit", "code"): "exit",
    ("exit", "status"): "exit",
    ("word", "count"): "wordcount",
    ("new", "ones"): "ones",
    ("all", "all"): "all",
}
MARKS = frozenset({"good", "bad"})
_MARK_SIGNS = frozenset(GOOD_MARKS + BAD_MARKS)
ENTITIES = frozenset({"path", "ep", "call", "ident", "url", "quoted"})


class Segment(Struct, frozen=True):
    """Tokens between two separators, with the separator before them and their first word, lower-cased."""

    before: str
    tokens: tuple[Token, ...]
    begins: str = ""


def split_segments(found: Sequence[Token]) -> list[Segment]:
    """Split the tokens of one sentence into segments, in order."""
    return list(_split(_merge_names(found)))


def _merge_names(found: Sequence[Token]) -> list[Token]:
    """Merge words that form one name into one token."""
    merged: list[Token] = []
    for index, token in enumerate(found):
        if merged and _heads_count(merged[-1], found[index : index + 2]):
            merged[-1] = Token("suites", None, f"{merged[-1].raw} {token.raw}")
            continue
        if merged and token.form not in {"sep", ""}:
            form = _MERGED.get((merged[-1].form, token.form))
            if form is not None:
                merged[-1] = replace(merged[-1], form=form, raw=f"{merged[-1].raw} {token.raw}")
                _merge_last(merged)
                continue
        if token.form == "num" and merged and merged[-1].form == "exit":
            good = token.value == 0
            merged[-1] = Token("ok" if good else "bad", "ok", f"{merged[-1].raw} {token.raw}")
            continue
        merged.append(replace(token, form=_ALONE[token.form]) if token.form in _ALONE else token)
    return merged


_ALONE = {"suite": "tests"}


def _heads_count(before: Token, following: Sequence[Token]) -> bool:
    """Whether files of tests are counted next, as in "Test Files  3 passed (3)" of vitest."""
    return before.form == "tests" and [each.form for each in following] == ["file", "num"]


def _merge_last(merged: list[Token]) -> None:
    """Merge the last name with the words before it: "code" and what "test coverage" became."""
    while len(merged) > 1 and (form := _MERGED.get((merged[-2].form, merged[-1].form))) is not None:
        last = merged.pop()
        merged[-1] = replace(merged[-1], form=form, raw=f"{merged[-1].raw} {last.raw}")


def _split(found: Sequence[Token]) -> Iterator[Segment]:
    before, begins, held = "", "", list[Token]()
    for index, token in enumerate(found):
        if token.form == "sep" and not _is_inside_clause(held, token, found[index + 1 :]):
            if held:
                yield Segment(before, _normalize_article(held), begins)
                before, begins, held = token.raw, "", []
            elif token.raw != ".":
                before = token.raw if before in {"", ","} else before
        elif token.form != "sep":
            if held and _starts_next_pair(held, token):
                yield Segment(before, _normalize_article(held), begins)
                before, begins, held = ",", "", []
            begins = begins or token.raw.lower()
            if token.form:
                held.append(token)
    if held:
        yield Segment(before, _normalize_article(held), begins)


def _starts_next_pair(held: Sequence[Token], token: Token) -> bool:
    """Whether a topic or a mark starts the next pair in a list of topics with marks ("tests ✅ lint ✅")."""
    if not any(earlier.form in TOPICS for earlier in held):
        return False
    if token.form in TOPICS:
        return is_mark(held[-1]) and not is_mark(held[0])
    return is_mark(token) and is_mark(held[0])


def is_mark(token: Token) -> bool:
    """Whether a token is a sign such as a check mark, rather than a word for it."""
    return token.form in MARKS and token.raw in _MARK_SIGNS


def _normalize_article(held: Sequence[Token]) -> tuple[Token, ...]:
    return tuple(replace(token, form="article") if token.form in {"text", "report"} else token for token in held)


def _is_inside_clause(held: Sequence[Token], separator: Token, rest: Sequence[Token]) -> bool:
    """Whether a separator is inside a clause: in a list of names, in "between 1 and 2"."""
    if not held or separator.raw not in {",", "and", "with"}:
        return False
    if separator.raw == "with":
        return (
            held[-1].form == "exit"
            or held[-1].form == "return"
            or any(token.form in {"alt", "source"} for token in rest[:2])
        )
    if any(token.form == "between" for token in held):
        return separator.raw == "and"
    lost = {"delete", "skip", "weaken"}
    if separator.raw == "," and held[-1].form in lost and rest and rest[0].form in lost:
        return True
    following = next((token for token in rest if token.form not in {"", "sep"}), None)
    return following is not None and held[-1].form in ENTITIES and following.form == held[-1].form
