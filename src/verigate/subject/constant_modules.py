"""Modules that only name constants: what version plugins write, and nothing that could decide a test."""

from __future__ import annotations

import ast

_MOST_TEXT = 100_000
_HARMLESS = (
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Name,
    ast.Subscript,
    ast.UnaryOp,
    ast.USub,
    ast.BinOp,
    ast.BitOr,
)
_ROLES = (ast.Load, ast.Store)


def declares_constants_only(path: bytes) -> bool:
    """Whether a module only names constants: what version plugins write, and nothing that could decide a test."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read(_MOST_TEXT))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(map(_is_harmless, tree.body))


def _is_harmless(statement: ast.stmt) -> bool:
    match statement:
        case ast.ImportFrom(module="typing" | "__future__"):
            return True
        case ast.If(test=ast.Name()):
            return all(map(_is_harmless, (*statement.body, *statement.orelse)))
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return True
        case ast.Assign() | ast.AnnAssign():
            inner = (node for child in ast.iter_child_nodes(statement) for node in ast.walk(child))
            return all(isinstance(node, (*_HARMLESS, *_ROLES)) for node in inner)
        case _:
            return False
