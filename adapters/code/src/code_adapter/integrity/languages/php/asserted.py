"""Read single nodes of PHP as assertions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_plain
from code_adapter.integrity.languages.php.titles import THROWS, find_start
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ASSERTS = re.compile(
    r"(?:assert[A-Z]\w*|fail|expectException\w*|expectError\w*|expectWarning\w*|expectDeprecation\w*)"
)
_ASSERTS_TOO = re.compile(
    r"expectOutput\w+|expects|expectNot(?!ToPerform)\w+|should(?:Have|Not|Be)\w+|verify|shouldReceive"
)
_OF_TEST = re.compile(r"^(?:\$this->|self::|static::|(?:\\?\w+\\)*Assert::)")


def read_assertion(node: Node) -> Assertion | None:
    """Read a call as an assertion."""
    if node.type == "function_call_expression":
        name = text_of(node.child_by_field_name("function")).rpartition("\\")[2]
        known = name in {"assert", "fail"} or re.match(r"assert[A-Z]", name)
        return Assertion(read_plain(node), line_of(node)) if known else None
    if node.type not in {"member_call_expression", "scoped_call_expression", "member_access_expression"}:
        return None
    name = text_of(node.child_by_field_name("name"))
    if _ASSERTS.fullmatch(name) or _ASSERTS_TOO.fullmatch(name) or _expects(node, name):
        # How an assertion of PHPUnit is reached is a matter of style, and nothing else about it.
        return Assertion(_OF_TEST.sub("", read_plain(node)), line_of(node))
    return None


def _expects(node: Node, name: str) -> bool:
    """Whether a chain is one of Pest's: ``expect($price)->toBe(1)``, ``it('adds')->expect(...)->toBe(...)``."""
    if not re.match(r"to[A-Z]", name) and name not in THROWS:
        return False
    start = find_start(node)
    return text_of(start.child_by_field_name("function")) in {"expect", "it", "test", "arch"}
