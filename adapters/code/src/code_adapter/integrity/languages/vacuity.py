"""Tell assertions that can't fail by their text, whatever the language: ``assertTrue(True)``, ``expect(1).toBe(1)``."""

from __future__ import annotations

import re

from code_adapter.integrity.languages.flow import FALSE, TRUE
from code_adapter.integrity.languages.vacuous_words import is_vacuous_in_words

CHAI_WORDS = frozenset(
    {"ok", "true", "false", "null", "undefined", "NaN", "exist", "empty", "finite", "called", "calledOnce"}
    | {"calledTwice", "calledThrice", "extensible", "sealed", "frozen"}
)
CHAI = re.compile(
    r"(?:expect\(.*\)(?:\.not)?\.(?:to|is|has)|.+\.should)(?:\.(?:to|be|been|is|that|and|has|have|not|deep|an?))*\."
    rf"(?P<what>{'|'.join(sorted(CHAI_WORDS))})"
)
"""Assertions of Chai that are no calls. Jest knows ``not`` as well, and what follows it there asks nothing."""

_PHRASED = re.compile(r"expect\((?:.|\n)+?,\s*['\"](?:not )?(?:to|when|with) [^'\"]+['\"]\s*[,)]")
"""``expect(a, "to equal", b)``: words name what Unexpected asks."""


def is_vacuous(text: str) -> bool:
    """Whether an assertion can't fail, whatever the code under test does."""
    if (
        is_vacuous_in_words(text)
        or re.search(r"(?:\bor\s+(?:True|1)|\|\|\s*true)\s*\)*;?$", text)
        or re.search(r"\|\|\s*true\s*\)", text)
    ):
        return True
    if text.startswith("assert "):
        inner = _unwrapped(text.removeprefix("assert").strip())
        if _is_constant(inner) or _same_sides(inner):
            return True
    expecting = re.match(r"expect\((?P<what>[^()]*)\)\.(?P<matcher>\w+)\((?P<value>[^()]*)\)", text)
    if expecting:
        return _expects_itself(expecting["what"].strip(), expecting["matcher"], expecting["value"].strip())
    if (chai := CHAI.fullmatch(text)) is not None and (plain := re.match(r"expect\(([^()]*)\)", text)) is not None:
        return chai["what"] in {plain[1].strip(), "ok"} and _is_constant(plain[1].strip())
    if re.fullmatch(r"expect\(.*\)(?:\.not)?", text) and text.count("expect(") == 1 and _is_one_call(text):
        return True
    call = re.match(r"(?P<name>[\w.:]+!?)\s*\((?P<arguments>.*)\);?$", text)
    return call is not None and _asserts_a_constant(call["name"], call["arguments"])


def asks_in_words(text: str) -> bool:
    """Whether an assertion of Unexpected asks something of what isn't written out, or of two different things."""
    arguments = _split(text.rstrip(";").removeprefix("expect(").removesuffix(")")) if _PHRASED.match(text) else []
    return bool(arguments) and not _is_constant(arguments[0]) and arguments[0] not in {*FALSE, *arguments[1:]}


def _asserts_a_constant(name: str, written: str) -> bool:
    """``assertTrue(True)``, ``assert.ok(true)``, ``assertEqual(1, 1)`` and their like in each language."""
    arguments = [part for part in _split(written) if part and part not in {"t", "self"}]
    last = re.split(r"[.:]", name)[-1].rstrip("!").lower()
    if len(arguments) > 1 and last in {"asserttrue", "assertfalse"} and _is_junit_message(name, arguments[0]):
        arguments = arguments[1:]
    if last in {"asserttrue", "assert_true", "ok", "assert", "true", "istrue", "truthy", "debug_assert", "assert_"}:
        return bool(arguments) and (_is_constant(arguments[0]) or _same_sides(arguments[0]))
    if last in {"assertfalse", "false", "isfalse", "notok", "falsy"}:
        return bool(arguments) and arguments[0] in FALSE
    if "eq" in last or last in {"is", "same", "assertis", "assertsame"}:
        pair = arguments[:2]
        return "not" not in last and len(pair) == 2 and pair[0] == pair[1] and "(" not in pair[0]
    return False


def _is_junit_message(name: str, first: str) -> bool:
    """``assertTrue("elapsed", elapsed < 750)`` of JUnit 4 and of nobody else: the message comes first."""
    return not name.startswith("self.") and re.fullmatch(r"\".*\"", first) is not None


def _is_one_call(text: str) -> bool:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter == ")":
            return text[at + 1 :] in {"", ".not", ";"}
    return False


def _unwrapped(text: str) -> str:
    inner = text.rstrip(";").strip()
    if inner.startswith("(") and _is_one_call(f"f{inner}"):
        inner = inner[1:-1].strip()
    return _split(inner)[0] if _split(inner) else inner


def _is_constant(text: str) -> bool:
    return text in TRUE or bool(re.fullmatch(r"""(['"]).+\1|[1-9]\d*""", text))


def _same_sides(text: str) -> bool:
    sides = re.split(r"\s(?:==|===|is|<=|>=)\s", text)
    return len(sides) == 2 and sides[0].strip() == sides[1].strip() and "(" not in sides[0]


def _expects_itself(what: str, matcher: str, value: str) -> bool:
    if matcher in {"toBeTruthy", "toBeDefined"}:
        return what in TRUE or (matcher == "toBeDefined" and bool(re.fullmatch(r"\d+|true|false", what)))
    if matcher == "toBeFalsy":
        return what in FALSE
    return matcher in {"toBe", "toEqual", "toStrictEqual", "toMatchObject", "equal", "equals"} and what == value


def _split(arguments: str) -> list[str]:
    """Arguments at the top level, by commas."""
    parts, depth, start, quote = [], 0, 0, ""
    for at, letter in enumerate(arguments):
        if quote:
            quote = "" if letter == quote and arguments[at - 1] != "\\" else quote
        elif letter in "'\"`":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(arguments[start:at].strip())
            start = at + 1
    parts.append(arguments[start:].strip())
    return parts
