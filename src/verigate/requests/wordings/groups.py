"""Read the groups of a wording that matches: what each must be, and the words of the order that it gives."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from verigate.requests.file_formats import get_extension, parse_format, parse_plural
from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.vocabulary import KINDS, split_words
from verigate.requests.wordings.cells import is_name, list_group, make_words
from verigate.requests.wordings.orders import VERBS, Wording
from verigate.tools.matching import is_pattern

_CONVERTIBLE = KINDS["picture"] | KINDS["video"] | KINDS["audio"] | KINDS["document"] | {"txt", "pptx"}
_PACKED = {
    "xz": (".xz", ".txz"), "gz": (".gz", ".tgz"), "bz": (".bz2", ".tbz2"), "zs": (".zst", ".tzst"), "un": (".tar",),
    "pl": (".tar",),
}  # fmt: skip
_NO_TEXT = split_words(
    """
    any an a the error errors problem problems bug bugs issue issues typo typos mistake mistakes misspellings warning
    warnings secret secrets passwords credentials tokens keys whitespace audio sound video subtitles file files picture
    pictures image images change changes changed been lint vulnerabilities security anything something to not no
    """
)
"""What a question asks for that is no text to search."""
_WHO = {"me": "u", "myself": "u", "owner": "u", "user": "u", "group": "g", "others": "o", "other": "o", "world": "o"}
_DOES = {
    "read": "r", "write": "w", "execute": "x", "run": "x", "readable": "r", "writable": "w", "writeable": "w",
    "executable": "x",
}  # fmt: skip
_PLACE_WORDS = {"the", "a", "my", "our", "folder", "directory", "dir"}
_MODE = re.compile(r"([r-])([w-])([x-])" * 3)


class Groups:
    """The groups of one match. Names: see ``orders``."""

    def __init__(self, match: re.Match[str], tokens: Sequence[Token], around: Surroundings, wording: Wording) -> None:
        self.found: dict[str, tuple[Token, ...]] = {
            name: list_group(tokens, match, name) for name in match.re.groupindex
        }
        self.around = around
        self.looks = wording.looks
        self.converts = "to {n}" in wording.order and wording.order.startswith(("convert", "{k}"))
        self.points = re.search("point|lead|refer", match.string) is not None

    def are_meant(self) -> bool:
        """Whether every group is what its name says."""
        if any(
            not _CHECKS[name](group, self.around) for name, group in self.found.items() if group and name in _CHECKS
        ):
            return False
        if (self.found.get("one") or self.found.get("only")) and self._count_names() > 1:
            return False  # "one page of a.md and b.md": whether they are to be joined isn't known
        if self.converts and not self._changes_format():
            return False  # "a.txt to b.txt": a copy, or another name
        packed = self.found.get("c") if "n" in self.found else None
        return not packed or _is_packed_so(packed[0].text.lower(), self.found["n"][0].text)

    def _changes_format(self) -> bool:
        """Whether the result's extension is another than that of every file."""
        ends = {get_extension(each.text) for each in self.found["x"] if is_name(each, self.around)}
        return get_extension(self.found["n"][0].text) not in ends

    def _count_names(self) -> int:
        """Count the files that are named: two where it may be more."""
        names = [each for each in self.found.get("x", ()) if is_name(each, self.around)]
        several = any(is_pattern(each.text) or parse_plural(each.text) for each in self.found.get("x", ()))
        return max(len(names), 2 if several else 0)

    def fill(self, part: str) -> tuple[Token, ...] | None:
        """Return the words for a part of an order: itself, or what stands for a group. None if nothing does."""
        if part.startswith("{who}"):
            return make_words(_spell_permission(self.found, removes="-" in part))
        if not part.startswith("{"):
            return make_words(part)
        name = part.strip("{}")
        return _FILLS[name](self) if name in _FILLS else self.found.get(name, ())


def _is_format(group: Sequence[Token], around: Surroundings) -> bool:
    suffix = parse_format(group[0].text) or parse_plural(group[0].text)
    return len(group) == 1 and suffix in _CONVERTIBLE and not around.exists(group[0].text)


def _is_text(group: Sequence[Token], _: Surroundings) -> bool:
    return group[0].kind != "word" or group[0].text.isupper() or group[0].text.lower() not in _NO_TEXT


def _is_loud(group: Sequence[Token], _: Surroundings) -> bool:
    return group[0].kind != "word" or group[0].text.isupper()


def _is_archive(group: Sequence[Token], _: Surroundings) -> bool:
    return get_extension(group[0].text) in KINDS["archive"]


_CHECKS: Final[Mapping[str, Callable[[Sequence[Token], Surroundings], bool]]] = {
    "f": _is_format,
    "t": _is_text,
    "cap": _is_loud,
    "a": _is_archive,
    "m": lambda group, around: not any(_is_archive((each,), around) for each in group),
    "g": lambda group, _: parse_format(group[0].text) is not None,
    "n": lambda group, _: len(group) == 1,
}


def _say_format(groups: Groups) -> tuple[Token, ...]:
    token = groups.found["f"][0]
    return make_words(parse_format(token.text) or parse_plural(token.text) or "", token.start)


def _say_result(groups: Groups) -> tuple[Token, ...]:
    """Say the name that stands beside a format."""
    return (*make_words("->"), *groups.found["n"]) if groups.found.get("n") else ()


def _say_place(groups: Groups) -> tuple[Token, ...]:
    return (*make_words("in"), *groups.found["x"]) if groups.found.get("x") else ()


def _say_text(groups: Groups) -> tuple[Token, ...]:
    return tuple(each._replace(kind="quoted") for each in groups.found.get("t") or groups.found["cap"])


def _say_verb(groups: Groups) -> tuple[Token, ...]:
    token = groups.found["v"][0]
    return make_words(VERBS.get(token.text.lower(), token.text.lower()), token.start)


def _say_program(groups: Groups) -> tuple[Token, ...]:
    said = " ".join(each.text.lower() for each in groups.found["b"])
    return make_words({"cp": "copy", "mv": "move", "ln": "link", "ln -s": "symlink"}[said])


def _say_inner_name(groups: Groups) -> tuple[Token, ...]:
    """Say a name in a folder as one path."""
    folder = next(iter(_list_names(groups.found["x"])), "")
    token = groups.found["n"][0]
    name = posixpath.join(folder, token.text)
    return (token._replace(kind="quoted", raw=name, text=name),)


def _say_factor(groups: Groups) -> tuple[Token, ...]:
    return make_words({"double": "to 200 %", "halve": "to 50 %"}[groups.found["v"][0].text.lower()])


def _say_members(groups: Groups) -> tuple[Token, ...]:
    named = [each for each in groups.found["m"] if each.kind in {"path", "quoted"}]
    return tuple(part for each in named for part in (*make_words("member"), each._replace(kind="quoted")))


def _say_state(groups: Groups) -> tuple[Token, ...]:
    """Say what shows changes: of folders which files, of files which lines."""
    names = _list_names(groups.found["x"])
    return make_words("status" if all(map(groups.around.is_folder, names)) else "diff")


def _say_link(groups: Groups) -> tuple[Token, ...]:
    said = groups.found["l"][0].text.lower()
    is_plain = said.startswith("hard") or (said == "link" and not groups.points)
    return make_words("link" if is_plain else "symlink")


def _say_making(groups: Groups) -> tuple[Token, ...] | None:
    end = get_extension(groups.found["n"][0].text)
    if end in KINDS["archive"]:
        return make_words("pack")
    return make_words("convert") if end in _CONVERTIBLE else None


def _say_names(groups: Groups) -> tuple[Token, ...]:
    return tuple(
        each if each.text.lower() in {"and", ","} else each._replace(kind="quoted") for each in groups.found["p"]
    )


def _say_name(groups: Groups) -> tuple[Token, ...]:
    return tuple(each._replace(kind="quoted") for each in groups.found["n"])


def _say_rest(groups: Groups) -> tuple[Token, ...]:
    rest = groups.found.get("r", ())
    return rest[1:] if len(rest) > 1 and rest[0].text == "," and rest[1].text == "->" else rest


def _say_files(name: str) -> Callable[[Groups], tuple[Token, ...]]:
    return lambda groups: tuple(_join(each, looks=groups.looks) for each in groups.found.get(name, ()))


def _say_no_folder(groups: Groups) -> tuple[Token, ...] | None:
    """Say the files, None for a folder: "the scripts" may be what is in it."""
    group = groups.found["x"]
    named = [each for each in group if each.text.lower() not in _PLACE_WORDS]
    inside = {"in", "of"} & {each.text.lower() for each in group}
    if not inside and any(groups.around.is_folder(each.text) for each in named):
        return None
    return _say_files("x")(groups)


_FILLS: Final[Mapping[str, Callable[[Groups], tuple[Token, ...] | None]]] = {
    "f": _say_format,
    "result": _say_result,
    "i": _say_place,
    "j": lambda groups: (*make_words("in"), *groups.found["y"]) if groups.found.get("y") else groups.found.get("j", ()),
    "q": _say_text,
    "v": _say_verb,
    "b": _say_program,
    "w": _say_inner_name,
    "z": _say_factor,
    "members": _say_members,
    "state": _say_state,
    "l": _say_link,
    "o": lambda groups: _read_mode(groups.found["o"][0]),
    "k": _say_making,
    "p": _say_names,
    "n": _say_name,
    "r": _say_rest,
    "x": _say_files("x"),
    "files": _say_no_folder,
    "y": _say_files("y"),
}


def _list_names(group: Sequence[Token]) -> list[str]:
    return [each.text for each in group if each.text.lower() not in _PLACE_WORDS]


def _spell_permission(groups: dict[str, tuple[Token, ...]], *, removes: bool) -> str:
    """Spell permissions as ``chmod`` takes them: who, and what is given or taken."""
    said = " ".join(each.text.lower() for each in groups.get("who", ()))
    who = next((letter for word, letter in _WHO.items() if word in said.split()), "a")
    what = "".join(
        dict.fromkeys(
            _DOES[w] for each in (*groups.get("do", ()), *groups.get("can", ())) if (w := each.text.lower()) in _DOES
        )
    )
    return f"{who}{'-' if removes else '+'}{what}"


def _join(token: Token, *, looks: bool) -> Token:
    """Say "and" for "plus", and for an "or" between what is only looked at."""
    word = token.text.lower()
    if token.kind == "word" and (word == "plus" or (looks and word == "or")):
        return make_words("and", token.start)[0]
    return token


def _read_mode(token: Token) -> tuple[Token, ...]:
    """Read permissions as ``ls`` writes them: ``rw-r-----`` is 640."""
    found = _MODE.fullmatch(token.text)
    if found is None:
        return (token,)
    bits = [each != "-" for each in found.groups()]
    digits = "".join(str(4 * r + 2 * w + x) for r, w, x in zip(bits[::3], bits[1::3], bits[2::3], strict=True))
    return make_words(digits, token.start)


def _is_packed_so(word: str, name: str) -> bool:
    """Whether a name's extension says the compression that the words say."""
    if word == "compressed":
        return not name.endswith(".tar")
    return name.lower().endswith(_PACKED.get(word[:2], ()))
