"""Whether a test of Python still makes each claim that it made, whatever assertions say them.

``assertTrue(a == b)``, ``assertEqual(a, b, "why")`` and ``assert a == b`` make one claim.
https://docs.python.org/3/library/unittest.html#assert-methods
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verigate.sdk.languages.tree import Tree

_COMPARES: dict[str, type[ast.cmpop]] = {
    **dict.fromkeys(("assertEqual", "assertEquals"), ast.Eq),
    **dict.fromkeys(
        (f"assert{kind}Equal" for kind in ("List", "Tuple", "Set", "Dict", "Sequence", "MultiLine")), ast.Eq
    ),
    "assertNotEqual": ast.NotEq,
    "assertIs": ast.Is,
    "assertIsNot": ast.IsNot,
    "assertIn": ast.In,
    "assertNotIn": ast.NotIn,
    "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt,
    "assertLessEqual": ast.LtE,
}
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.Is: ast.IsNot,
    ast.In: ast.NotIn,
    ast.NotEq: ast.Eq,
    ast.IsNot: ast.Is,
    ast.NotIn: ast.In,
}
"""Not those of order: of sets, and of what isn't a number, neither one may hold."""

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_Claim = tuple[str, ...]


def keeps_claims(before: Tree, after: Tree, path: str, unit: str) -> bool:
    """Whether the test ``unit`` makes all claims of its base form, under the same conditions, and any at all."""
    if not path.endswith(".py"):
        return False
    was, now = (_find_claims(tree.source.decode("utf-8", "replace"), unit) for tree in (before, after))
    return bool(was) and not was - now


def is_same_test(before: Tree, after: Tree, path: str, unit: str) -> bool:
    """Whether the test ``unit`` differs in how constants are written alone: ``"a b".split()`` or ``["a", "b"]``."""
    if not path.endswith(".py"):
        return False
    was, now = (_find_test(tree.source.decode("utf-8", "replace"), unit) for tree in (before, after))
    return was is not None and now is not None and _describe(was) == _describe(now)


def asks_more(before: str, after: str) -> bool:
    """Whether an assertion asks the same of one call that is given more, and expects more: each constant is kept."""
    was, now = (_read_comparison(text) for text in (before, after))
    if was is None or now is None or ast.dump(was[0].func) != ast.dump(now[0].func):
        return False
    return all(
        bool(old) and old < new
        for old, new in ((_count_constants(one), _count_constants(other)) for one, other in zip(was, now, strict=True))
    )


def _read_comparison(text: str) -> tuple[ast.Call, ast.expr] | None:
    """Read ``assert CALL == EXPECTED``."""
    try:
        statements = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    match statements:
        case [ast.Assert(ast.Compare(ast.Call() as call, [ast.Eq()], [expected]))]:
            return call, expected
    return None


def _count_constants(around: ast.AST) -> Counter[str]:
    return Counter(ast.dump(node) for node in ast.walk(around) if isinstance(node, ast.Constant))


def _describe(test: ast.AST) -> str:
    return ast.dump(_Constants().visit(test))


class _Constants(ast.NodeTransformer):
    """Replace calls that split a constant by the list that they return."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Attribute(ast.Constant(str(text)), "split"), [], []):
                parts = text.split()
            case ast.Call(ast.Attribute(ast.Constant(str(text)), "split"), [ast.Constant(str(separator))], []) if (
                separator
            ):
                parts = text.split(separator)
            case _:
                return node
        return ast.List([ast.Constant(part) for part in parts], ast.Load())


def _find_claims(source: str, unit: str) -> Counter[_Claim]:
    test = _find_test(source, unit)
    return Counter(_list_claims(test, ())) if test is not None else Counter()


def _find_test(source: str, unit: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    try:
        around: ast.AST = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for name in unit.replace("::", ".").split("."):
        named = (node for node in ast.iter_child_nodes(around) if getattr(node, "name", None) == name)
        found = next((node for node in named if isinstance(node, ast.ClassDef | _FUNCTIONS)), None)
        if found is None:
            return None
        around = found
    return around if isinstance(around, _FUNCTIONS) else None


def _list_claims(around: ast.AST, conditions: tuple[str, ...]) -> Iterator[_Claim]:
    """List the claims of statements, each with the statements around it: without these it may not be made."""
    for name, value in ast.iter_fields(around):
        for statement in value if isinstance(value, list) else ():
            if isinstance(statement, ast.Assert):
                yield (*conditions, name, _normalise(statement.test))
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                if (claim := _read_call(statement.value)) is not None:
                    yield (*conditions, name, claim)
            elif isinstance(statement, ast.stmt | ast.excepthandler):
                yield from _list_claims(statement, (*conditions, f"{name}: {_describe_head(statement)}"))


def _describe_head(statement: ast.AST) -> str:
    parts = [
        ast.dump(part)
        for name, value in ast.iter_fields(statement)
        if name not in {"body", "orelse", "finalbody", "handlers"}
        for part in (value if isinstance(value, list) else [value])
        if isinstance(part, ast.AST)
    ]
    return " ".join([type(statement).__name__, *parts])


def _read_call(call: ast.Call) -> str | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if call.keywords and not all(keyword.arg == "msg" for keyword in call.keywords):
        return None
    one = call.args[0] if call.args else None
    if name in {"assertTrue", "assertFalse"} and one is not None:
        return _normalise(one, negated=name == "assertFalse")
    if name in {"assertIsNone", "assertIsNotNone"} and one is not None:
        kind = ast.Is() if name == "assertIsNone" else ast.IsNot()
        return _normalise(ast.Compare(one, [kind], [ast.Constant(None)]))
    if name in _COMPARES and one is not None and len(call.args) > 1:
        return _normalise(ast.Compare(one, [_COMPARES[name]()], [call.args[1]]))
    return None


def _normalise(test: ast.expr, *, negated: bool = False) -> str:
    """Write a condition without its negations; the sides of an equality in one order."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, negated = test.operand, not negated
    known = isinstance(test, ast.Compare) and len(test.ops) == 1
    if not isinstance(test, ast.Compare) or not known or (negated and type(test.ops[0]) not in _NEGATED):
        return f"{'not ' if negated else ''}{ast.dump(test)}"
    kind = _NEGATED[type(test.ops[0])] if negated else type(test.ops[0])
    sides = [ast.dump(test.left), ast.dump(test.comparators[0])]
    if kind in {ast.Eq, ast.NotEq, ast.Is, ast.IsNot}:
        sides.sort()
    return f"{kind.__name__} {sides[0]} {sides[1]}"
