"""Whether declarations of CSS hide what they apply to: certainly, possibly, or not. Lengths are in CSS pixels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import lru_cache

import tinycss2


class Visibility(IntEnum):
    """Ordered, so that the maximum of several is what counts."""

    SHOWN = 0
    DOUBTFUL = 1
    """Only a browser knows."""
    HIDDEN = 2


UNREAD = "--verigate-unread-sheet"
"""A property that stands for a style sheet that nobody could read."""

SHOWN, DOUBTFUL, HIDDEN = Visibility.SHOWN, Visibility.DOUBTFUL, Visibility.HIDDEN
_UNITS: Mapping[str, float] = {
    **dict.fromkeys(("", "px"), 1.0),
    **dict.fromkeys(("em", "rem"), 16.0),
    **dict.fromkeys(("ex", "ch"), 8.0),
    **dict.fromkeys(("lh", "rlh"), 19.2),
    **dict.fromkeys(("%", "vw", "svw", "lvw", "dvw", "vi", "vmax"), 12.8),
    **dict.fromkeys(("vh", "svh", "lvh", "dvh", "vb", "vmin"), 7.2),
    **dict(zip(("pt", "pc", "in", "cm", "mm", "q"), (4 / 3, 16.0, 96.0, 37.8, 3.78, 0.945), strict=True)),
}
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)")
_FUNCTION = re.compile(r"([a-z-][a-z0-9-]*)\(([^()]*)\)")
_PLAIN = frozenset({"", "none", "auto", "normal", "inherit", "initial", "unset", "revert", "revert-layer"})
_MATHS = re.compile(r"\b(?:calc|min|max|clamp|var|env|attr|round|mod|rem|abs|sign|if)\(")
_HIDING = frozenset(
    {
        *(("display", "none"), ("visibility", "hidden"), ("visibility", "collapse")),
        *(("content-visibility", "hidden"), ("-webkit-text-security", "disc")),
    }
)
_SIZES = frozenset(
    f"{limit}{side}" for limit in ("", "max-") for side in ("width", "height", "block-size", "inline-size")
)
_OFFSETS = frozenset(
    {"left", "right", "top", "bottom", "inset", "inset-block", "inset-inline"}
    | {f"inset-{axis}-{end}" for axis in ("block", "inline") for end in ("start", "end")}
)
_COLOUR_FUNCTIONS = frozenset({"rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"})
_MARGINS = ("", "-left", "-right", "-top", "-bottom", "-inline", "-block", "-inline-start", "-block-start")
_UNSEEN_PX, _OUTSIDE_PX, _FAR_PX, _FAINT, _TINY = 2.0, -400.0, 3000.0, 0.1, 0.05


def judge(declarations: str, animations: frozenset[str] = frozenset()) -> Visibility:
    """Judge a block of declarations. ``animations`` are names of keyframes that end hidden."""
    return _judge(declarations, animations) if declarations.strip() else SHOWN


@lru_cache(maxsize=4096)
def _judge(declarations: str, animations: frozenset[str]) -> Visibility:
    items = tinycss2.parse_blocks_contents(declarations, skip_comments=True, skip_whitespace=True)
    found = [
        (item.lower_name, tinycss2.serialize(item.value).strip().lower())
        for item in items
        if item.type == "declaration"
    ]
    values = dict(found)
    worst = SHOWN
    for name, value in found:
        worst = max(worst, _judge_one(name, value, values, animations))
    return worst


def _judge_one(name: str, value: str, values: Mapping[str, str], animations: frozenset[str]) -> Visibility:
    if (name, value) in _HIDING:
        return HIDDEN
    if value in _PLAIN:
        return SHOWN
    if name in {"animation", "animation-name"}:
        return DOUBTFUL if animations & set(re.split(r"[\s,]+", value)) else SHOWN
    if name in _JUDGES_WITH_OTHERS:
        return _JUDGES_WITH_OTHERS[name](value, values)
    return _JUDGES[name](value) if name in _JUDGES else SHOWN


def _lengths(value: str) -> list[float]:
    return [size for size, _ in _read_lengths(value)]


def _read_lengths(value: str) -> Iterator[tuple[float, str]]:
    for number, unit in _LENGTH.findall(value):
        if unit in _UNITS:
            yield float(number) * _UNITS[unit], unit


def _doubt_maths(value: str) -> Visibility:
    """A calculated value is doubtful if it could leave the window: where it subtracts, multiplies or isn't known."""
    found = _MATHS.search(value)
    if found is None:
        return SHOWN
    risky = "var(" in value or "env(" in value or "attr(" in value or any(sign in value for sign in "*/-")
    large = any(abs(length) >= -_OUTSIDE_PX for length, unit in _read_lengths(value) if unit != "%")
    return DOUBTFUL if risky and (large or "*" in value or "var(" in value) else SHOWN


def _judge_number(value: str, least: float = _FAINT) -> Visibility:
    number = _read_share(value)
    if number is None:
        return DOUBTFUL
    return HIDDEN if number < least else SHOWN


def _judge_font(value: str) -> Visibility:
    """Judge the shorthand: a number without a unit is a weight, unless it is 0."""
    sizes = re.findall(r"(?:^|\s)(0|\.?\d[\d.]*[a-z%]+)\s*(?:/|\s)", value)
    return max(map(_judge_font_size, sizes), default=SHOWN)


def _judge_offset(value: str, values: Mapping[str, str]) -> Visibility:
    if any(length <= _OUTSIDE_PX or length >= _FAR_PX for length in _lengths(value)):
        return HIDDEN if "position" in values else DOUBTFUL
    return _doubt_maths(value)


def _judge_shift(value: str) -> Visibility:
    return HIDDEN if any(length <= _OUTSIDE_PX for length in _lengths(value)) else _doubt_maths(value)


def _judge_spacing(value: str) -> Visibility:
    return DOUBTFUL if any(length <= -3 for length in _lengths(value)) or _MATHS.search(value) else SHOWN


def _judge_line_height(value: str) -> Visibility:
    return DOUBTFUL if any(length < _FAINT for length in _lengths(value)) else SHOWN


def _judge_keyword(value: str) -> Visibility:
    return DOUBTFUL if _MATHS.search(value) else SHOWN


def _judge_drawing(value: str) -> Visibility:
    return DOUBTFUL if value else SHOWN


def _judge_font_size(value: str) -> Visibility:
    sizes = [size / 12.8 * 0.16 if unit == "%" else size for size, unit in _read_lengths(value)]
    if _MATHS.search(value):
        return (
            DOUBTFUL
            if not sizes or min(sizes) < _UNSEEN_PX or re.search(r"[*/]| - |\b(?:var|env|attr)\(", value)
            else SHOWN
        )
    return HIDDEN if sizes and min(sizes) < _UNSEEN_PX else SHOWN


def _judge_size(value: str, values: Mapping[str, str]) -> Visibility:
    lengths = _lengths(value)
    if _MATHS.search(value) or not lengths or min(lengths) >= _UNSEEN_PX:
        return SHOWN
    overflow = " ".join(values.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    clipped = any(word in overflow for word in ("hidden", "clip", "scroll", "auto"))
    return HIDDEN if clipped and "ellipsis" not in values.get("text-overflow", "") else DOUBTFUL


def _judge_colour(value: str, values: Mapping[str, str]) -> Visibility:
    clipped = any(
        "text" in values.get(name, "") for name in ("background-clip", "-webkit-background-clip", "background")
    )
    unseen = DOUBTFUL if clipped else HIDDEN
    if value == "transparent":
        return unseen
    backgrounds = {values.get("background", ""), values.get("background-color", "")}
    if value in backgrounds or _expand(value) in {_expand(each) for each in backgrounds if each}:
        return unseen
    alpha = _find_alpha(value)
    if alpha is None:
        return DOUBTFUL
    return unseen if alpha < _FAINT else SHOWN


def _expand(colour: str) -> str:
    names = {"white": "#ffffff", "black": "#000000"}
    short = re.fullmatch(r"#([0-9a-f])([0-9a-f])([0-9a-f])", colour)
    return "#" + "".join(digit * 2 for digit in short.groups()) if short else names.get(colour, colour)


def _find_alpha(value: str) -> float | None:
    """Return the alpha of a colour from 0 to 1; None if it can't be read."""
    if value.startswith("#") and re.fullmatch(r"[0-9a-f]{8}|[0-9a-f]{4}", value[1:]):
        return int(value[4:], 16) / 15 if len(value) == 5 else int(value[7:], 16) / 255
    if "(" not in value:
        return 1.0
    function = _FUNCTION.fullmatch(value)
    if function is None or function[1] not in _COLOUR_FUNCTIONS:
        return None
    parts = function[2].split("/") if "/" in function[2] else function[2].split(",")
    if "/" not in function[2] and len(parts) < 4:
        return 1.0
    return _read_share(parts[-1].strip())


def _read_share(text: str) -> float | None:
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None


def _judge_transform(value: str) -> Visibility:
    worst = _doubt_maths(value)
    for name, inner in _FUNCTION.findall(value):
        numbers = [float(number) for number, _ in _LENGTH.findall(inner)]
        if name.startswith("scale"):
            worst = max(worst, HIDDEN if any(abs(number) < _TINY for number in numbers) else SHOWN)
        elif name.startswith("translate"):
            sizes = [size for size, unit in _read_lengths(inner) if unit != "%"]
            whole = any(
                number <= -100 for number, unit in ((float(n), u) for n, u in _LENGTH.findall(inner)) if unit == "%"
            )
            outside = any(size <= _OUTSIDE_PX or size >= _FAR_PX for size in sizes)
            worst = max(worst, HIDDEN if outside else DOUBTFUL if whole else SHOWN)
        elif name not in {"rotate", "rotatez", "skew", "skewx", "skewy"} or any(axis in inner.split() for axis in "xy"):
            worst = max(worst, DOUBTFUL)
    return worst


def _judge_clip(value: str) -> Visibility:
    function = _FUNCTION.fullmatch(value)
    if function is None:
        return DOUBTFUL
    name, inner = function[1], function[2]
    lengths = _LENGTH.findall(inner)
    numbers = [float(number) for number, _ in lengths]
    if name == "rect" and len(numbers) == 4:
        top, right, bottom, left = numbers
        return HIDDEN if right - left < _UNSEEN_PX or bottom - top < _UNSEEN_PX else DOUBTFUL
    if name == "inset" and any(unit == "%" and float(number) >= 50 for number, unit in lengths):
        return HIDDEN
    if name in {"circle", "ellipse"} and numbers and min(numbers[:2]) < 1:
        return HIDDEN
    if name == "polygon" and not any(numbers):
        return HIDDEN
    return DOUBTFUL


def _judge_filter(value: str) -> Visibility:
    worst = SHOWN
    for name, inner in _FUNCTION.findall(value):
        if name == "opacity":
            worst = max(worst, _judge_number(inner.strip() or "1", _FAINT))
        elif name in {"blur", "brightness", "contrast", "url"}:
            worst = max(worst, DOUBTFUL)
    return max(worst, DOUBTFUL if "url(" in value or _MATHS.search(value) else SHOWN)


def _judge_named(name: str) -> Callable[[str], Visibility]:
    return lambda value: _judge_transform(f"{name}({value})")


_JUDGES: Mapping[str, Callable[[str], Visibility]] = {
    UNREAD: _judge_drawing,
    "opacity": _judge_number,
    "zoom": lambda value: _judge_number(value, _TINY),
    "font-size": _judge_font_size,
    "font": _judge_font,
    "letter-spacing": _judge_spacing,
    "word-spacing": _judge_spacing,
    "line-height": _judge_line_height,
    "transform": _judge_transform,
    **{name: _judge_named(name) for name in ("translate", "scale", "rotate")},
    "clip": _judge_clip,
    "clip-path": _judge_clip,
    "filter": _judge_filter,
    **dict.fromkeys(("mask", "mask-image", "-webkit-mask", "-webkit-mask-image", "perspective"), _judge_drawing),
    **dict.fromkeys(("display", "visibility"), _judge_keyword),
    **dict.fromkeys(("text-indent", *(f"margin{side}" for side in _MARGINS)), _judge_shift),
}
_JUDGES_WITH_OTHERS: Mapping[str, Callable[[str, Mapping[str, str]], Visibility]] = {
    **dict.fromkeys(_SIZES, _judge_size),
    **dict.fromkeys(_OFFSETS, _judge_offset),
    **dict.fromkeys(("color", "-webkit-text-fill-color"), _judge_colour),
}
