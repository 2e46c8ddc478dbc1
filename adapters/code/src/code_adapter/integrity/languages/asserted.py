"""Read single nodes as assertions, where languages share them.

JavaScript, Go and Rust write calls: what a library of one of them has is read in the others as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.vacuity import CHAI, CHAI_WORDS
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_JS = re.compile(
    r"expect\b|expectTypeOf\(|assert(?:\.\w+)*\(|(?:t|tap|test)\.(?:assert\.)?(?:equals?|is|not|deepEquals?|ok|notOk|same|"
    r"strictSame|true|false|truthy|falsy|throws|throwsAsync|notThrows|rejects|match|like|regex|snapshot|fail|"
    r"notEqual|strictEqual|deepStrictEqual)\(|should\b"
)
_GO = re.compile(
    r"(?:t|b|tb|f)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$|(?:assert|require|is|must|qt|td)\.(?!New$)\w+$|"
    r"\w+\.(?:Require|Assert)\(\)\.\w+$|Expect\("
)


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion; white space in ``text`` is normalised."""

    text: str
    line: int


def read_plain(node: Node) -> str:
    """The text of a node with white space normalised."""
    return " ".join(text_of(node).split())


def read_assert_statement(node: Node) -> Assertion | None:
    """Read the statement ``assert`` of Python or Java."""
    if node.type != "assert_statement":
        return None
    return Assertion(re.sub(r"^assert\(", "assert (", read_plain(node)), line_of(node))


def read_call(node: Node) -> Assertion | None:
    """Read a call, or a member of Chai that is none, as an assertion."""
    if node.type not in {"call_expression", "member_expression"}:
        return None
    if node.type == "member_expression":
        chai = text_of(node.child_by_field_name("property")) in CHAI_WORDS and CHAI.fullmatch(read_plain(node))
        return Assertion(read_plain(node), line_of(node)) if chai else None
    function = text_of(node.child_by_field_name("function"))
    text = read_plain(node)
    javascript = _JS.match(text) or ".should(" in text or ".should." in text
    known = (javascript and not text.startswith(("expect.extend", "expect.addSnapshot"))) or _GO.match(function)
    return Assertion(text, line_of(node)) if known else None
