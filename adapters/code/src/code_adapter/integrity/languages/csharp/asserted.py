"""Read single nodes of C# as assertions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_plain
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ASSERTS = re.compile(
    r"(?:\w+\.)*(?:\w*Assert(?:ions?)?|AssertEx)\.(?!Ignore|Inconclusive|Skip|Pass|Warn|Multiple$|MultipleAsync$|That$|"
    r"EnterMultipleScope)\w+(?:<.*>)?|(?:\w+\.)*Assert\.That|(?:Verifier|Check)\.\w+|Expect\(.*",
    re.DOTALL,
)
_BY_NAME = re.compile(
    r"Should[A-Z]\w*|Verify(?:All|NoOtherCalls|Add|Remove|Get|Set|Async)?|MustHaveHappened\w*|MustNotHaveHappened|"
    r"Received|DidNotReceive\w*|ReceivedWithAnyArgs|AssertWasCalled|AssertWasNotCalled|VerifyAllExpectations"
)


def read_assertion(node: Node) -> Assertion | None:
    """Read a call as an assertion."""
    if node.type != "invocation_expression":
        return None
    function = node.child_by_field_name("function")
    text = text_of(function)
    called = function.child_by_field_name("name") if function is not None else None
    name = text_of(called).partition("<")[0]
    member = function is not None and function.type == "member_access_expression"
    known = _ASSERTS.fullmatch(text) or (member and (_BY_NAME.fullmatch(name) or ".Should()" in text))
    return Assertion(read_plain(node), line_of(node)) if known else None
