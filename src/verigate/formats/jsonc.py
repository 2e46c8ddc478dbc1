"""Edit JSON with comments and leave every other byte unchanged.

tree-sitter's JSON grammar gives the place of each value and each comment. Additions go after the last member of a
container, in the style of that container.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.errors import UsageError

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_BYTES = 4 * 1024 * 1024
_MAX_DEPTH = 60
_CONTAINERS = {"object", "array"}


class _Edit(Struct, frozen=True):
    """The bytes from ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: bytes = b""


def read_value(content: bytes, shown: str) -> Any:
    """Parse the document, without its comments. Raises UsageError for a text that isn't JSON with comments."""
    return _to_value(_parse_object(content, shown))


def has_comments(content: bytes, shown: str) -> bool:
    """Whether the document contains a comment. Raises UsageError like ``read_value``."""
    return any(node.type == "comment" for node in _walk(_parse_document(content, shown)))


def add(content: bytes, addition: Mapping[str, Any], shown: str) -> bytes:
    """Merge ``addition`` into the document: objects member by member, arrays by appending; scalars stay as they are.

    Raises UsageError for a document that isn't JSON, and where its value at some place has another type.
    """
    newline = b"\r\n" if b"\r\n" in content else b"\n"
    if not content.strip():
        return json.dumps(addition, indent=2, ensure_ascii=False).encode().replace(b"\n", newline) + newline
    edits: list[_Edit] = []
    unit = _detect_indent_unit(content)
    for container, pieces in _find_missing(_parse_object(content, shown), addition, shown, ""):
        edits += _append_edits(content, container, pieces, unit, newline)
    return _apply_edits(content, edits)


def remove(
    content: bytes, is_ours: Callable[[Mapping[str, Any]], bool], made: Callable[[tuple[str, ...]], bool], shown: str
) -> bytes:
    """Remove every object that ``is_ours``, and the containers that this leaves empty.

    An emptied member of the two outer levels is removed only if ``made`` says that an addition created it; deeper ones
    always. Scalars of the outermost level are removed if they were ``made``.
    """
    root = _parse_object(content, shown)
    pruning = _Pruner(is_ours, made, [])
    pruning.removes(root, ())
    return _apply_edits(content, pruning.edits)


def remove_member(content: bytes, keys: Sequence[str], shown: str) -> bytes:
    """Remove the member at the path ``keys``, repeated ones included, and the objects that this leaves empty.

    An object with a comment in it stays, and so does the outermost one.
    """
    edits, _ = _remove_at(_parse_object(content, shown), keys)
    return _apply_edits(content, edits)


def _remove_at(node: Node, keys: Sequence[str]) -> tuple[list[_Edit], bool]:
    """Return the edits inside ``node``, and whether they leave nothing in it."""
    members = _list_members(node)
    edits: list[_Edit] = []
    gone = []
    for member in members:
        empties = _read_key(member) == keys[0]
        if empties and len(keys) > 1:
            value = _member_value(member)
            inner, empties = _remove_at(value, keys[1:]) if value.type == "object" else ([], False)
            edits += [] if empties else inner
        gone.append(empties)
    edits += _removal_edits(node, members, gone)
    return edits, bool(gone) and all(gone) and len(members) == len(node.named_children)


def _parse_object(content: bytes, shown: str) -> Node:
    return _list_members(_parse_document(content, shown))[0]


def _parse_document(content: bytes, shown: str) -> Node:
    import tree_sitter_json
    from tree_sitter import Language, Parser

    if len(content) > MAX_BYTES:
        raise UsageError(f"it has more than {MAX_BYTES} bytes", where=shown)
    tree = Parser(Language(tree_sitter_json.language())).parse(content)
    values = _list_members(tree.root_node)
    broken = next((node for node in _walk(tree.root_node) if _is_broken(node)), None)
    if _is_deeper(tree.root_node, _MAX_DEPTH):
        raise UsageError(f"it is nested deeper than {_MAX_DEPTH} levels", where=shown)
    if broken is not None or len(values) != 1 or values[0].type != "object":
        line = (broken or tree.root_node).start_point[0] + 1
        raise UsageError("this is not one JSON object", where=f"{shown}:{line}", hint="fix the file, then try again")
    return tree.root_node


def _is_broken(node: Node) -> bool:
    """Whether a node is a syntax error, or a scalar that only the grammar accepts (a string with a line break)."""
    if node.type not in {"string", "number"}:
        return node.is_error or node.is_missing
    try:
        json.loads(node.text or b"")
    except ValueError:
        return True
    return False


def _is_deeper(node: Node, depth: int) -> bool:
    level = [node]
    for _ in range(3 * depth):  # a pair and its container are levels of the tree too
        level = [child for parent in level for child in parent.named_children]
        if not level:
            return False
    return True


def _walk(node: Node) -> Iterator[Node]:
    pending = [node]
    while pending:
        found = pending.pop()
        yield found
        pending += found.children


def _to_value(node: Node) -> Any:
    if node.type == "object":
        return {_read_key(pair): _to_value(_member_value(pair)) for pair in _list_members(node)}
    if node.type == "array":
        return [_to_value(item) for item in _list_members(node)]
    return json.loads(node.text or b"null")


def _list_members(container: Node) -> list[Node]:
    return [child for child in container.named_children if child.type != "comment"]


def _read_key(pair: Node) -> str:
    key = pair.child_by_field_name("key")
    return str(json.loads((key.text if key else None) or b'""'))


def _member_value(pair: Node) -> Node:
    inner = pair.child_by_field_name("value")
    if inner is None:
        raise ValueError("a pair of a valid document has a value")
    return inner


def _find_missing(node: Node, addition: Mapping[str, Any], shown: str, place: str) -> Iterator[tuple[Node, list[Any]]]:
    """Yield containers with what is missing in each: pairs of an object, items of an array."""
    there = {_read_key(pair): _member_value(pair) for pair in _list_members(node)}
    lacking: list[Any] = []
    for key, wanted in addition.items():
        if key not in there:
            lacking.append((key, wanted))
            continue
        found, where = there[key], f"{place}/{key}"
        kind = "object" if isinstance(wanted, dict) else "array" if isinstance(wanted, list) else None
        if kind is not None and found.type != kind:
            raise UsageError(f"this must be an {kind}", where=f"{shown} {where}", hint="fix the file, then try again")
        if kind == "object":
            yield from _find_missing(found, wanted, shown, where)
        elif kind == "array":
            yield found, list(wanted)
    if lacking:
        yield node, lacking


def _detect_indent_unit(content: bytes) -> str:
    """Return one step of indentation: that of the first indented line, else two spaces."""
    for line in content.splitlines():
        body = line.lstrip(b" \t")
        if body[:1] == b'"' and len(body) < len(line):
            return line[: len(line) - len(body)].decode("ascii")
    return "  "


def _append_edits(content: bytes, node: Node, pieces: Sequence[Any], unit: str, newline: bytes) -> list[_Edit]:
    children = list(node.named_children)
    members = _list_members(node)
    close = node.end_byte - 1
    spread = node.start_point[0] != node.end_point[0] or not members
    outer = _indent_at(content, node.start_byte)
    inner = _indent_at(content, members[-1].start_byte) if members and spread else outer + unit
    if not spread:
        text = ", ".join(_format_piece(piece, "", None) for piece in pieces).encode()
        return [_Edit(members[-1].end_byte, members[-1].end_byte, b", " + text)]
    body = (b"," + newline).join(
        inner.encode() + _format_piece(piece, inner, unit).encode().replace(b"\n", newline) for piece in pieces
    )
    if not children:
        return [_Edit(node.start_byte + 1, close, newline + body + newline + outer.encode())]
    after = children[-1].end_byte
    if content[after:close].strip() == b"" and newline not in content[after:close]:
        body += newline + outer.encode()
    edits = [_Edit(after, after, newline + body)]
    if members and members[-1].end_byte == after:
        return [_Edit(after, after, b"," + newline + body)]
    return [_Edit(members[-1].end_byte, members[-1].end_byte, b","), *edits] if members else edits


def _indent_at(content: bytes, offset: int) -> str:
    line = content[content.rfind(b"\n", 0, offset) + 1 : offset]
    body = line.lstrip(b" \t")
    return line[: len(line) - len(body)].decode("ascii")


def _format_piece(piece: Any, indent: str, unit: str | None) -> str:
    head, value = (f"{json.dumps(piece[0])}: ", piece[1]) if isinstance(piece, tuple) else ("", piece)
    text = json.dumps(value, indent=unit, ensure_ascii=False)
    return head + text.replace("\n", f"\n{indent}")


class _Pruner(Struct):
    """Collects removals: ``edits`` are those inside nodes that stay."""

    is_ours: Callable[[Mapping[str, Any]], bool]
    made: Callable[[tuple[str, ...]], bool]
    edits: list[_Edit]

    def removes(self, node: Node, place: tuple[str, ...]) -> bool:
        """Whether to remove ``node`` as a whole; else its inner removals are added to ``edits``."""
        if node.type == "object" and place and self.is_ours(_read_scalars(node)):
            return True
        if node.type not in _CONTAINERS:
            return len(place) == 1 and self.made(place)
        members = _list_members(node)
        inside = _Pruner(self.is_ours, self.made, [])
        named = node.type == "object"
        gone = [
            inside.removes(_member_value(member) if named else member, (*place, _read_key(member) if named else "-"))
            for member in members
        ]
        inner = len(place) > 2
        if place and members and all(gone) and (inner or self.made(place)):
            return True
        if (
            inner
            and named
            and any(gone)
            and not any(_member_value(pair).type in _CONTAINERS for pair in _list_kept(members, gone))
        ):
            # A group without a command is useless: remove its matcher too.
            return True
        self.edits += [*inside.edits, *_removal_edits(node, members, gone)]
        return False


def _list_kept(members: Sequence[Node], gone: Sequence[bool]) -> list[Node]:
    return [member for member, removes in zip(members, gone, strict=True) if not removes]


def _read_scalars(node: Node) -> dict[str, Any]:
    return {
        _read_key(pair): _to_value(_member_value(pair))
        for pair in _list_members(node)
        if _member_value(pair).type not in _CONTAINERS
    }


def _removal_edits(node: Node, members: Sequence[Node], gone: Sequence[bool]) -> Iterator[_Edit]:
    if not any(gone):
        return
    if all(gone) and len(members) == len(node.named_children):
        yield _Edit(node.start_byte + 1, node.end_byte - 1)
        return
    commas = [child for child in node.children if child.type == ","]
    kept_before = False
    for number, (member, removes) in enumerate(zip(members, gone, strict=True)):
        if not removes:
            kept_before = True
            continue
        before = member.prev_sibling
        yield _Edit(before.end_byte if before else member.start_byte, member.end_byte)
        comma = number - 1 if kept_before else number
        if 0 <= comma < len(commas):
            yield _Edit(commas[comma].start_byte, commas[comma].end_byte)


def _apply_edits(content: bytes, edits: Sequence[_Edit]) -> bytes:
    pieces, at = [], 0
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        pieces += [content[at : edit.start], edit.text]
        at = max(at, edit.end)
    return b"".join([*pieces, content[at:]])
