"""Find the assertions of a test: which can fail, which can't, and whose failure is caught and dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.flow import FALSE, TRUE, has_own_assertions, list_steps
from code_adapter.integrity.uncalled import is_never_called
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_JS = re.compile(
    r"expect\b|expectTypeOf\(|assert(?:\.\w+)*\(|(?:t|tap|test)\.(?:assert\.)?(?:equals?|is|not|deepEquals?|ok|notOk|same|"
    r"strictSame|true|false|truthy|falsy|throws|throwsAsync|notThrows|rejects|match|like|regex|snapshot|fail|"
    r"notEqual|strictEqual|deepStrictEqual)\(|should\b"
)
_CHAI_WORDS = frozenset(
    {"ok", "true", "false", "null", "undefined", "NaN", "exist", "empty", "finite", "called", "calledOnce"}
    | {"calledTwice", "calledThrice", "extensible", "sealed", "frozen"}
)
_CHAI = re.compile(
    r"(?:expect\(.*\)(?:\.not)?\.(?:to|is|has)|.+\.should)(?:\.(?:to|be|been|is|that|and|has|have|not|deep|an?))*\."
    rf"(?P<what>{'|'.join(sorted(_CHAI_WORDS))})"
)
"""Assertions of Chai that are no calls. Jest knows ``not`` as well, and what follows it there asks nothing."""

_PHRASED = re.compile(r"expect\((?:.|\n)+?,\s*['\"](?:not )?(?:to|when|with) [^'\"]+['\"]\s*[,)]")
"""``expect(a, "to equal", b)``: words name what Unexpected asks."""

_GO = re.compile(
    r"(?:t|b|tb|f)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$|(?:assert|require|is|must|qt|td)\.(?!New$)\w+$|"
    r"\w+\.(?:Require|Assert)\(\)\.\w+$|Expect\("
)
_RUST = re.compile(r"(?:\w+::)*(?:debug_)?(?:prop_)?assert\w*!|panic!|unreachable!")
_JAVA = re.compile(r"(?:\w+\.)?(?:assert\w*|verify\w*|fail|expect\w*|then)\(")
_HELPER = re.compile(r"_?(?:check|verify|expect|assert|validate|ensure|must|should)(?:_|[A-Z]|$)")


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion; white space in ``text`` is normalised."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Assertions:
    """The assertions of a test. ``real`` ones can fail the test; ``held`` are those of them that may not run.

    ``delegated`` are calls of helpers that also assert: they can replace an assertion, and losing one is no finding.
    """

    real: tuple[Assertion, ...] = ()
    delegated: tuple[Assertion, ...] = ()
    vacuous: tuple[Assertion, ...] = ()
    swallowed: tuple[Assertion, ...] = ()
    held: tuple[Assertion, ...] = ()


def find_assertions(body: Node, helpers: Mapping[str, int], *, phrases: bool = False) -> Assertions:
    """Find the assertions below ``body``, without unreachable code.

    ``helpers`` maps functions of the same file to their number of assertions; a call counts as that many. ``phrases``
    says that ``expect`` is that of Unexpected.
    """
    real: list[Assertion] = []
    vacuous: list[Assertion] = []
    swallowed: list[Assertion] = []
    delegated: list[Assertion] = []
    held: list[Assertion] = []
    own = has_own_assertions(body)
    stack: list[tuple[Node, bool, bool]] = [(body, False, False)]
    while stack:
        node, caught, apart = stack.pop()
        found = read_assertion(node)
        if found is None:
            count = _helper_count(node, helpers)
            if count:
                text = _plain(node)
                target = swallowed if caught else real if _is_check(node) else delegated
                made = [Assertion(f"{text} #{n}" if n else text, line_of(node)) for n in range(count)]
                target += made
                held += made if apart and target is real else []
                continue
            live = [
                (step.node, caught or step.caught, apart or step.held)
                for step in list_steps(node, helpers, own=own)
                if not _is_never_called(step.node, body)
            ]
            stack.extend(reversed(live))
        elif _is_tuple(node) or (is_vacuous(found.text) and not (phrases and _asks_in_words(found.text))):
            vacuous.append(found)
        elif not _repeats(node):
            (swallowed if caught else real).append(found)
            held += [found] if not caught and (apart or _is_not_awaited(node)) else []
            swallowed += _expected_to_fail(node)
    return Assertions(tuple(real), tuple(delegated), tuple(vacuous), tuple(swallowed), tuple(held))


def _repeats(node: Node) -> bool:
    """Whether the statement right before it says the same, of what nothing has to be called for."""
    above = node if node.type == "assert_statement" else node.parent
    before = above.prev_named_sibling if above is not None else None
    same = before is not None and above is not None and before.type == above.type and _plain(before) == _plain(above)
    return same and _OF_VALUES.fullmatch(_plain(node)) is not None


_OF_VALUES = re.compile(r"assert [^()]*|[\w.]+\([^()]*\)(?:\.\w+\([^()]*\))*;?")
"""An assertion whose values are names and literals."""


def _is_not_awaited(call: Node) -> bool:
    """``expect(promise).resolves.toBe(1);`` as a statement: nobody waits for it."""
    text = _plain(call)
    above = call.parent
    return (
        call.type == "call_expression"
        and bool(re.search(r"\)\.(?:resolves|rejects)\.|^assert\.(?:rejects|doesNotReject)\(", text))
        and above is not None
        and above.type == "expression_statement"
    )


_FAILS = re.compile(r"(?:[\w.]+\.)?(?:fail|unreachable)\(")
"""What says that a place isn't to be reached asks nothing of what was computed."""


def _expected_to_fail(call: Node) -> Iterator[Assertion]:
    """Assertions of JavaScript in a function that is expected to throw."""
    if call.type != "call_expression" or not re.search(r"\bthrows\(|\.toThrow|\brejects\b", text_of(call)):
        return
    for node in walk(call):
        if node.type in {"arrow_function", "function_expression"}:
            for inner in walk(node):
                found = read_assertion(inner)
                if found is not None and inner.type == "call_expression" and not _FAILS.match(found.text):
                    yield found
            return


def _is_never_called(node: Node, body: Node) -> bool:
    """A function inside a test that nothing else in the test names."""
    if is_never_called(node, text_of(body)):
        return True
    if node.type != "function_definition" or (node.parent is not None and node.parent.type == "decorated_definition"):
        return False
    name = text_of(node.child_by_field_name("name"))
    return len(re.findall(rf"\b{re.escape(name)}\b", text_of(body))) <= len(
        re.findall(rf"\b{re.escape(name)}\b", text_of(node))
    )


def _plain(node: Node) -> str:
    return " ".join(text_of(node).split())


def read_assertion(node: Node) -> Assertion | None:
    """Read a node as an assertion; None for anything else."""
    if node.type == "assert_statement":
        return Assertion(re.sub(r"^assert\(", "assert (", _plain(node)), line_of(node))
    if node.type == "call":
        name = text_of(node.child_by_field_name("function")).rpartition(".")[2]
        known = name.startswith("assert") or name in {"raises", "warns", "fail", "deprecated_call", "expect"}
        return Assertion(_plain(node), line_of(node)) if known else None
    if node.type in {"call_expression", "member_expression"}:
        return _read_script_assertion(node)
    if node.type == "macro_invocation" and _RUST.match(text_of(node)):
        return Assertion(_plain(node), line_of(node))
    if node.type == "method_invocation" and _JAVA.match(_plain(node)):
        return Assertion(_plain(node), line_of(node))
    return None


def _read_script_assertion(node: Node) -> Assertion | None:
    """Read an assertion of JavaScript or Go."""
    if node.type == "member_expression":
        chai = text_of(node.child_by_field_name("property")) in _CHAI_WORDS and _CHAI.fullmatch(_plain(node))
        return Assertion(_plain(node), line_of(node)) if chai else None
    function = text_of(node.child_by_field_name("function"))
    text = _plain(node)
    javascript = _JS.match(text) or ".should(" in text or ".should." in text
    known = (javascript and not text.startswith(("expect.extend", "expect.addSnapshot"))) or _GO.match(function)
    return Assertion(text, line_of(node)) if known else None


def _helper_count(node: Node, helpers: Mapping[str, int]) -> int:
    if node.type not in {"call", "call_expression", "method_invocation"}:
        return 0
    name, last = _called(node)
    if last in helpers:
        return helpers[last]
    # A helper of another file: its name is all that is known here.
    return 1 if re.fullmatch(r"[\w.]+", name) and _HELPER.match(last) else 0


def _called(node: Node) -> tuple[str, str]:
    name = text_of(node.child_by_field_name("function") or node.child_by_field_name("name"))
    return name, re.split(r"[.:]", name)[-1]


def _is_check(node: Node) -> bool:
    return bool(_HELPER.match(_called(node)[1]))


def _is_tuple(node: Node) -> bool:
    """``assert (a == b, "message")`` of Python: a tuple that isn't empty is true, whatever stands in it."""
    return node.type == "assert_statement" and node.named_children[0].type == "tuple"


def is_vacuous(text: str) -> bool:
    """Whether an assertion can't fail, whatever the code under test does."""
    if re.search(r"(?:\bor\s+(?:True|1)|\|\|\s*true)\s*\)*;?$", text) or re.search(r"\|\|\s*true\s*\)", text):
        return True
    if text.startswith("assert "):
        inner = _unwrapped(text.removeprefix("assert").strip())
        if _is_constant(inner) or _same_sides(inner):
            return True
    expecting = re.match(r"expect\((?P<what>[^()]*)\)\.(?P<matcher>\w+)\((?P<value>[^()]*)\)", text)
    if expecting:
        return _expects_itself(expecting["what"].strip(), expecting["matcher"], expecting["value"].strip())
    if (chai := _CHAI.fullmatch(text)) is not None and (plain := re.match(r"expect\(([^()]*)\)", text)) is not None:
        return chai["what"] in {plain[1].strip(), "ok"} and _is_constant(plain[1].strip())
    if re.fullmatch(r"expect\(.*\)(?:\.not)?", text) and text.count("expect(") == 1 and _is_one_call(text):
        return True
    call = re.match(r"(?P<name>[\w.:]+!?)\s*\((?P<arguments>.*)\);?$", text)
    return call is not None and _asserts_a_constant(call["name"], call["arguments"])


def _asks_in_words(text: str) -> bool:
    """Whether an assertion of Unexpected asks something of what isn't written out, or of two different things."""
    arguments = _split(text.rstrip(";").removeprefix("expect(").removesuffix(")")) if _PHRASED.match(text) else []
    return bool(arguments) and not _is_constant(arguments[0]) and arguments[0] not in {*FALSE, *arguments[1:]}


def _asserts_a_constant(name: str, written: str) -> bool:
    """``assertTrue(True)``, ``assert.ok(true)``, ``assertEqual(1, 1)`` and their like in six languages."""
    arguments = [part for part in _split(written) if part and part not in {"t", "self"}]
    last = re.split(r"[.:]", name)[-1].rstrip("!").lower()
    if last in {"asserttrue", "assert_true", "ok", "assert", "true", "istrue", "truthy", "debug_assert", "assert_"}:
        return bool(arguments) and (_is_constant(arguments[0]) or _same_sides(arguments[0]))
    if last in {"assertfalse", "false", "isfalse", "notok", "falsy"}:
        return bool(arguments) and arguments[0] in FALSE
    if "eq" in last or last in {"is", "same", "assertis", "assertsame"}:
        pair = arguments[:2]
        return "not" not in last and len(pair) == 2 and pair[0] == pair[1] and "(" not in pair[0]
    return False


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
