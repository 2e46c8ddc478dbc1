"""Changes of an input that keep most of its form: a JSON document stays one, a text loses, doubles or swaps parts."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

from targets.target import Target

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, 1e300, -0.0, 2**53, 10**30, "", "x", "0", "null", "\0", "\ud800", "../x", "/"),
    *("a/b", "*", "(", "[", "$ref", "#", "2026-13-45", "file:", "1e999", "%00", "\n", "\u202e", "é" * 40, "9" * 400),
    *([], {}, [[]], [None], {"": None}, {"x": []}, ["x"]),
)
MARKS = (
    *(
        b'"',
        b"'",
        b"[",
        b"{",
        b"(",
        b"<",
        b"=",
        b"\n",
        b"\r",
        b"\t",
        b".",
        b"\\",
        b"#",
        b":",
        b";",
        b"\0",
        b"\xff",
        b"-",
    ),
    *(b"1", b"0", b"-1", b"9" * 30, b"1e999", b"nan", b"%s", b"\xc2\xb2", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b" " * 50),
)
_TOKEN = re.compile(rb"\w+|\s+|.", re.DOTALL)


def mutate_json(content: bytes, chance: random.Random) -> bytes:
    """Change one to three parts of a document. Raises ValueError for what isn't JSON."""
    document = {"": json.loads(content)}
    for _ in range(chance.randint(1, 3)):
        places = [place for place in _list_places(document) if place]
        *above, last = chance.choice(places)
        holder: Any = document
        for key in above:
            holder = holder[key]
        _change(holder, last, chance, top=not above)
    return json.dumps(document[""], ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _change(holder: Any, last: Any, chance: random.Random, *, top: bool) -> None:
    match chance.choice(("replace", "replace", "drop", "double", "rename", "nest", "copy")):
        case "drop" if not top:
            del holder[last]
        case "double" if isinstance(holder, list):
            holder.extend([copy.deepcopy(holder[last])] * chance.choice((1, 2, 20)))
        case "rename" if isinstance(holder, dict) and not top:
            holder[chance.choice(("", "x", f"{last}s", "\0", "__proto__", str(last).upper()))] = holder.pop(last)
        case "nest":
            for _ in range(chance.choice((1, 1, 3, 120))):
                holder[last] = chance.choice(([holder[last]], {"a": holder[last]}, {str(last): holder[last]}))
        case "copy" if isinstance(holder, dict) and len(holder) > 1:
            holder[last] = copy.deepcopy(holder[chance.choice(list(holder))])
        case _:
            holder[last] = copy.deepcopy(chance.choice(ODD))


def _list_places(value: Any, above: tuple[Any, ...] = (), depth: int = 0) -> Iterator[tuple[Any, ...]]:
    yield above
    if isinstance(value, dict | list) and depth < 40:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _list_places(item, (*above, key), depth + 1)


def mutate_text(content: bytes, target: Target, chance: random.Random) -> bytes:
    """Change one to three lines or words of a text, or put in a part of one of the target's seeds."""
    for _ in range(chance.randint(1, 3)):
        pieces = content.splitlines(keepends=True) if chance.random() < 0.4 else _TOKEN.findall(content)
        if not pieces:
            return chance.choice(target.seeds)
        at = chance.randrange(len(pieces))
        match chance.choice(("drop", "double", "swap", "word", "part", "nest", "replace")):
            case "drop":
                del pieces[at : at + chance.choice((1, 1, 2, 5))]
            case "double":
                pieces[at:at] = pieces[at : at + chance.choice((1, 3))] * chance.choice((1, 2, 30))
            case "swap":
                other = chance.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "word":
                pieces.insert(at, chance.choice((*MARKS, *target.words)))
            case "part":
                seed = chance.choice(target.seeds).splitlines(keepends=True) or [b""]
                start = chance.randrange(len(seed))
                pieces[at:at] = seed[start : start + chance.choice((1, 3, 10))]
            case "nest":
                opened, closed = chance.choice(
                    ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<a>", b"</a>"), (b"- ", b""))
                )
                times = chance.choice((1, 3, 60))
                pieces[at] = opened * times + pieces[at] + closed * times
            case _:
                pieces[at] = chance.choice((*MARKS, *target.words))
        content = b"".join(pieces)
    return content
