"""Name the files that are left where a request names all of a folder but some: "everything in logs except a.log"."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from verigate.requests.file_formats import get_extension, parse_format, parse_kind, parse_plural
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.wordings.cells import PATH, PATH_LIST, list_group, make_words, substitute

_ALL = r"(?:everything|all files|all the files|every file|(?:all |all the |every |the )?(?P<k>[\w.]+)(?: files?)?)"
_BUT = (
    r"(?:, )?(?:and |but )?(?:except(?: for)?|but not|other than|apart from|excluding|but|bar|save|not|"
    r"leaving out|leave out|without|with the exception of)"
)
_PATTERN = re.compile(
    rf"(?<!\S){_ALL} (?:in|inside|from|under) (?P<d>the )?(?P<f>\S+)(?: folder| directory)? {_BUT} "
    rf"(?P<y>{PATH_LIST})(?!\S)"
)
_HINT = re.compile(rf"\b(?:except|but|other|apart|excluding|bar|save|not|leaving|leave|without|exception) .*{PATH}")
_SAME = {
    "jpeg": frozenset({"jpg"}), "jpg": frozenset({"jpeg"}), "tiff": frozenset({"tif"}), "yml": frozenset({"yaml"}),
    "htm": frozenset({"html"}), "markdown": frozenset({"md"}),
}  # fmt: skip
MAX_LISTED = 200


def list_exceptions(tokens: tuple[Token, ...], around: Surroundings) -> tuple[Token, ...]:
    """Replace all but some of a folder's files by the names of the others.

    Only where each exception is among them, and none of them is a folder.
    """
    from verigate.requests.wordings.cells import join_cells

    if _HINT.search(join_cells(tokens)) is None:
        return tokens

    def build(match: re.Match[str]) -> Sequence[Token] | None:
        folder = list_group(tokens, match, "f")[0].text
        kind = list_group(tokens, match, "k")
        suffix = None
        if kind:
            text = kind[0].text
            suffix = parse_plural(text) or parse_format(text)
            if suffix is None:
                return None
        if not around.is_folder(folder):
            return None
        names = [name for name in around.names(folder) if not name.startswith(".")]
        names = [name for name in names if suffix is None or get_extension(name) == suffix]
        left_out = {each.text for each in list_group(tokens, match, "y") if each.kind in {"path", "quoted"}}
        out = {posixpath.basename(each) for each in left_out if posixpath.dirname(each) in {"", folder.rstrip("/")}}
        if len(out) != len(left_out) or not out <= set(names):
            return None
        kept = [posixpath.join(folder, name) for name in names if name not in out]
        if not 0 < len(kept) <= MAX_LISTED or any(map(around.is_folder, kept)):
            return None
        return _list_names(kept, match.start())

    return substitute(tokens, _PATTERN, build)


_KIND = re.compile(
    r"(?<!\S)(?:(?:all|every|each|both)(?: of)?(?: the| my)? |the |my )?(?:(?P<n>two|three|four|five) "
    r")?(?:(?P<j>[a-z]+) )?(?P<k>[a-z]+) "
    r"(?:in|inside|from|under|of) (?:the )?(?P<f>\S+)(?: folder| directory)?(?!\S)"
)


def list_kinds(tokens: tuple[Token, ...], around: Surroundings) -> tuple[Token, ...]:
    """Replace "the pictures in FOLDER" by the names of the files of this kind there, where a number fits, too."""

    def build(match: re.Match[str]) -> Sequence[Token] | None:
        folder = list_group(tokens, match, "f")[0].text
        word = match.group("k")
        suffixes = parse_kind(word) if word.endswith("s") or match.group().startswith("every ") else None
        if suffixes is None and (plural := parse_plural(word)) is not None:
            suffixes = frozenset({plural}) | _SAME.get(plural, frozenset())
        if (narrowed := match.group("j")) is not None and suffixes is not None:
            known = parse_kind(narrowed) or frozenset(filter(None, [parse_format(narrowed)]))
            suffixes = suffixes & known or None
        if suffixes is None or not around.is_folder(folder):
            return None
        kept = [
            posixpath.join(folder, name)
            for name in around.names(folder)
            if get_extension(name) in suffixes and not name.startswith(".")
        ]
        counted = {"two": 2, "three": 3, "four": 4, "five": 5, "both": 2}
        wanted = match.group("n") or ("both" if match.group().startswith("both") else None)
        if not 0 < len(kept) <= MAX_LISTED or (wanted and counted[wanted] != len(kept)):
            return None
        return _list_names(kept, match.start())

    return substitute(tokens, _KIND, build)


def _list_names(paths: Sequence[str], start: int) -> tuple[Token, ...]:
    made: list[Token] = []
    for place, path in enumerate(paths):
        made += make_words("," if place + 1 < len(paths) else "and", start) if place else ()
        made.append(Token("quoted", path, path, path.lower(), start, start))
    return tuple(made)
