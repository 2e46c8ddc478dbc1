"""Whether an SVG draws anything. One that is empty, or whose shapes have no size or no colour, is no picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

_NEVER_DRAWN = frozenset(
    {"defs", "clipPath", "mask", "symbol", "pattern", "marker", "linearGradient", "radialGradient", "filter"}
    | {"metadata", "title", "desc", "style", "script", "view", "cursor"}
)
_LINES = frozenset({"line", "polyline", "path", "polygon", "rect", "circle", "ellipse"})
_FILLED = _LINES - {"line"} | {"text", "tspan", "textPath"}
_SIZES: Mapping[str, tuple[str, ...]] = {"rect": ("width", "height"), "circle": ("r",), "ellipse": ("rx", "ry")}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;]+)")
_UNSEEN = frozenset({"none", "transparent"})
_INHERITED = ("fill", "stroke", "visibility", "fill-opacity", "stroke-opacity", "stroke-width")
_MOST_ELEMENTS = 100_000


def draws_something(root: Element) -> bool:
    """Whether any element of the tree is drawn. A style sheet in it counts as one that shows everything."""
    pending: list[tuple[Element, Mapping[str, str]]] = [(root, {})]
    seen = 0
    while pending:
        node, above = pending.pop()
        seen += 1
        name = node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
        own = _read_properties(node)
        if name in _NEVER_DRAWN or own.get("display") == "none" or _is_zero(own.get("opacity", "1")):
            continue
        style = {**above, **{key: own[key] for key in _INHERITED if key in own}}
        if _is_drawn(node, name, style) or seen > _MOST_ELEMENTS:
            return True
        pending += [(child, style) for child in node]
    return False


def _read_properties(node: Element) -> dict[str, str]:
    found = {key: value.strip().lower() for key, value in node.attrib.items()}
    return found | {key.lower(): value.strip().lower() for key, value in _DECLARATION.findall(node.get("style", ""))}


def _is_drawn(node: Element, name: str, style: Mapping[str, str]) -> bool:
    if style.get("visibility") in {"hidden", "collapse"}:
        return False
    if name in {"image", "use"}:
        return any(key.rpartition("}")[2] == "href" and value.strip() for key, value in node.attrib.items())
    if name == "foreignObject":
        return bool("".join(node.itertext()).strip())
    filled = (
        name in _FILLED and style.get("fill", "black") not in _UNSEEN and not _is_zero(style.get("fill-opacity", "1"))
    )
    stroked = (
        name in _LINES | _FILLED
        and style.get("stroke", "none") not in _UNSEEN
        and not _is_zero(style.get("stroke-opacity", "1"))
        and not _is_zero(style.get("stroke-width", "1"))
    )
    return (filled or stroked) and _has_extent(node, name)


def _has_extent(node: Element, name: str) -> bool:
    if name in _SIZES:
        # A radius of an ellipse that isn't there is that of the other axis.
        sizes = [node.get(key) for key in _SIZES[name]]
        given = [size for size in sizes if size is not None]
        return bool(given) and (len(given) == len(sizes) or name == "ellipse") and not any(map(_is_zero, given))
    if name == "path":
        numbers = _NUMBER.findall(node.get("d", ""))
        return len(numbers) > 2 and len(set(numbers)) > 1
    if name in {"polyline", "polygon"}:
        return len(set(_NUMBER.findall(node.get("points", "")))) > 1
    if name == "line":
        ends = [node.get(key, "0") for key in ("x1", "y1", "x2", "y2")]
        return ends[:2] != ends[2:]
    return bool("".join(node.itertext()).strip())


def _is_zero(text: str) -> bool:
    found = _NUMBER.match(text.strip())
    return found is not None and float(found[0]) <= 0
