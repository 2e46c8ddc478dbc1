"""Account for the words of a request that no slot took: a word that could narrow what is done must not be dropped.

Words that say nothing by themselves are accounted for by their place. "File" belongs to the path next to it, a
preposition to what it governs, a number to as many files. What stands before "of FILE", "from FILE" or "in FILE" is a
part of the file: only a capability whose trigger or slot names that part may be meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from verigate.requests.file_formats import get_extension, parse_format, parse_kind, parse_plural
from verigate.requests.reading import RequestReading, Role
from verigate.requests.vocabulary import (
    FILLER_WORDS,
    FOLDER_NOUNS,
    INTO,
    KINDS,
    LIGHT,
    NAMING,
    OUT_OF,
    PLACING,
    POLITE,
    split_words,
)
from verigate.tools.effects import resolve_effect
from verigate.tools.matching import is_pattern
from verigate.tools.model import Category, Effect, SlotType, ToolCapability

DETERMINERS: Final = split_words("the my our your his her their its this that these those a an")
TYPE_NOUNS: Final = FOLDER_NOUNS | split_words(
    """
    file files page pages document documents content contents name names path paths thing things repository repo
    project tree
    """
)
ADJECTIVES: Final = split_words("new existing current generated resulting following same own made stored located found")
_LOCATED = split_words("stored located found")
_NAMES = split_words("name names path paths")
_PAGES = split_words("page pages document documents")
_PLURALS = split_words("files pages documents things folders directories dirs")
WHOLE: Final = split_words("whole entire complete full all every each")
NUMBERS: Final[Mapping[str, int]] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12, "both": 2, "pair": 2, "couple": 2, "single": 1,
}  # fmt: skip
"""Words that say how many. The number must be that of the files that are named."""
SELECTING: Final = split_words(
    """
    some any several few many most half another other others else either anything whatever whichever what who random
    rest remaining certain various more less fewer
    """
)
"""Words that choose among files, or leave open which are meant."""
PREPOSITIONS: Final = (
    INTO
    | PLACING
    | OUT_OF
    | split_words("as with by via along about throughout out off up down called named call output using")
)
_OPENING = split_words("of from in inside within out off through across on below under over among")
"""Prepositions after which the whole stands, where a part stands before them."""
_PARTICLES = split_words("up out off down over back away")
_COPULAS = split_words(
    """
    is are was were be been being which that's there's it's there so sitting living does do must should shall has have
    had
    """
)
_PRONOUNS = split_words("it them me us i we you u itself themselves ones here")
_NEUTRAL = split_words("and then also too again simply just now back together way quickly plus ahead")
_STORING = split_words(
    """
    save saving store storing writing write calling naming putting put call output result make fit create get use
    """
)
_SKIPPED = DETERMINERS | TYPE_NOUNS | ADJECTIVES | WHOLE | _COPULAS | _PRONOUNS


def find_unaccounted(
    reading: RequestReading,
    capability: ToolCapability,
    described: frozenset[str],
    count_targets: Callable[[], int],
) -> tuple[int, ...]:
    """Return the free tokens that no other word accounts for, in order.

    ``described`` are the stems of the adapter's own descriptions. ``count_targets`` counts the files that the targets
    are now. What only reads may be described more loosely: there only numbers, choices and parts count.
    """
    ledger = _Ledger(reading, capability, described, count_targets)
    return tuple(
        index
        for index in range(len(reading))
        if reading.tokens[index].kind == "word"
        and not (ledger.is_accounted(index) if reading.is_free(index) else ledger.is_order(index))
    )


class _Ledger:
    """What accounts for each free word. Indexes are those of tokens."""

    def __init__(
        self,
        reading: RequestReading,
        capability: ToolCapability,
        described: frozenset[str],
        count_targets: Callable[[], int],
    ) -> None:
        self._reading = reading
        self._described = described
        self._count_targets = count_targets
        self._effects = {
            resolve_effect(capability, slot)
            for slot in capability.slots_of(Category.TARGET)
            if slot.type is SlotType.FILEPATH
        }
        self._is_strict = capability.destructive or capability.is_meant_to_write
        triggers = [index for index, use in enumerate(reading.used) if use == "trigger"]
        self._first_trigger = triggers[0] if triggers else len(reading)
        self._parts = self._find_parts()

    def is_accounted(self, index: int) -> bool:
        """Whether something accounts for a free word."""
        word = self._reading.get_word(index)
        if index in self._parts:
            return False
        if word in NUMBERS or word.isdecimal():
            return self._is_right_number(index, NUMBERS.get(word, -1) if not word.isdecimal() else int(word))
        if self._follows_flag(index):
            return True
        if word in SELECTING:
            return not self._is_strict and word not in _CHOOSING
        if not self._is_strict:
            return True
        return self._is_placed(index, word)

    def is_order(self, index: int) -> bool:
        """Whether a used word is what it was used as: a second trigger before a name may describe the file instead.

        "Copy the duplicate images folder" names one of several folders, "pack x into an archive y" the result.
        """
        if not self._is_strict or self._get_role(index) != "trigger" or self._get_role(index - 1) == "trigger":
            return True
        if index <= self._first_trigger:
            return True
        before = self._reading.get_word(index - 1)
        after = self._skip(index)
        if before not in DETERMINERS | TYPE_NOUNS | ADJECTIVES | WHOLE or self._reading.get_word(index + 1) == "of":
            return True
        return self._get_span_role(after) not in {"target", "holder"}

    def _is_placed(self, index: int, word: str) -> bool:
        """Whether a word of a command that writes stands where it says nothing of its own."""
        if word in _PAGES and not self._is_page(index):
            return False
        for words, is_placed in (
            (DETERMINERS | _PRONOUNS | _COPULAS | _NEUTRAL, lambda _: True),
            (_NAMES, self._is_naming),
            (TYPE_NOUNS, self._is_noun_of_name),
            (ADJECTIVES, self._describes_one),
            (WHOLE, self._is_whole_folder),
            (PREPOSITIONS, self._is_governing),
            (LIGHT | _STORING, self._is_storing),
        ):
            if word in words:
                return is_placed(index)
        return word not in FILLER_WORDS or word in POLITE

    def _is_naming(self, index: int) -> bool:
        """Whether "name" or "path" introduces a name: "by the name of x", "the path x"."""
        if any(self._is_by_name(place) for place in (index - 1, index - 2)):
            return True
        return self._reading.get_word(index - 1) == "the" and self._is_before(index, "path")

    def _is_noun_of_name(self, index: int) -> bool:
        """Whether a noun of files belongs to a name, in the plural to several."""
        several = self._reading.get_word(index) in _PLURALS
        if several and self._get_span_role(self._skip(index)) == "target" and self._count_targets() < 2:
            return False
        return self._is_attached(index) or self._names_result(index)

    def _is_storing(self, index: int) -> bool:
        """Whether a light verb comes before the order, or says where the result goes: "and save it as x"."""
        return index < self._first_trigger or self._leads_to_destination(index)

    def _is_page(self, index: int) -> bool:
        """Whether "page" or "document" describes what is named next to it, by its extension."""
        spans = [span for span in (self._find_span(self._skip(index)), self._find_span(index - 1)) if span is not None]
        ends = {get_extension(self._reading.tokens[each].text) for span in spans for each in (span.start, span.end)}
        return bool(ends & KINDS["document"]) or self._names_result(index)

    def _is_before(self, index: int, use: str) -> bool:
        """Whether a token with this use is the next, after articles."""
        index += 1
        while self._reading.get_word(index) in DETERMINERS | {"of"} and self._reading.is_free(index):
            index += 1
        return self._get_role(index) == use and self._reading.get_word(index - 1) != "of"

    def _is_right_number(self, index: int, number: int) -> bool:
        """Whether as many files are named, or the number is that of the one destination: "into one archive"."""
        after = self._skip(index)
        if number == 1 and self._get_span_role(after) in {"destination", "argument"}:
            return True
        return self._is_attached(index) and number == self._count_targets()

    def _skip(self, index: int, also: frozenset[str] = frozenset()) -> int:
        """Return the first token after ``index`` that isn't a word that only accompanies a name."""
        index += 1
        while (self._reading.is_free(index) or self._is_marked_noun(index)) and (
            self._reading.get_word(index) in _SKIPPED | also or self._is_kind_word(index) or self._is_by_name(index)
        ):
            index += 1
        return index

    def _is_marked_noun(self, index: int) -> bool:
        """Whether "folder" or "folders" was read as a flag, too: it still belongs to the name."""
        return self._get_role(index) in {"flag", "noun"} and self._reading.get_word(index) in FOLDER_NOUNS

    def _is_by_name(self, index: int) -> bool:
        """Whether "by the name of" or "with the name" begins here."""
        return self._reading.get_word(index) in {"by", "with"} and "name" in {
            self._reading.get_word(index + 1),
            self._reading.get_word(index + 2),
        }

    def _is_described(self, index: int) -> bool:
        token = self._reading.tokens[index]
        return token.kind == "word" and set(token.stem.split()) <= self._described

    def _follows_flag(self, index: int) -> bool:
        """Whether a word is the object of what a flag says: "don't overwrite existing files"."""
        while self._reading.is_free(index) and self._reading.get_word(index) in _SKIPPED | {"anything", "any"}:
            index -= 1
        # "without overwriting", "no overwrite": a verb with a negation has an object.
        return self._get_role(index) == "flag" and self._get_role(index - 1) == "flag"

    def _is_kind_word(self, index: int) -> bool:
        text = self._reading.tokens[index].text
        return (parse_format(text) or parse_plural(text) or parse_kind(text)) is not None

    def _is_kind_noun(self, index: int) -> bool:
        """Whether a kind of files is named, rather than the kind of problems: "the python problems"."""
        return self._is_kind_word(index) and not (self._reading.is_free(index + 1) and self._is_described(index + 1))

    def _get_role(self, index: int) -> str:
        """Return the use of a token; "" for a free one and beyond the end."""
        return (self._reading.used[index] or "") if 0 <= index < len(self._reading) else ""

    def _get_span_role(self, index: int) -> str:
        """Return the role of the path at a token: target, holder, destination, argument; "" without a path."""
        found = self._find_span(index)
        return found.role if found is not None else ""

    def _get_marker(self, index: int) -> str:
        found = self._find_span(index)
        return found.marker if found is not None else ""

    def _find_span(self, index: int) -> Role | None:
        return next((each for each in self._reading.roles if each.start <= index <= each.end), None)

    def _is_attached(self, index: int) -> bool:
        """Whether a noun belongs to what is named next to it, with no preposition between."""
        after = self._skip(index, NAMING | {","} | frozenset(NUMBERS) | {"of"})
        before = index - 1
        if self._get_role(after) in {"path", "format"} and not self._has_open_of(index, after):
            return True
        while self._reading.is_free(before) and self._reading.get_word(before) in TYPE_NOUNS | DETERMINERS:
            before -= 1
        return self._get_role(before) not in {"", "trigger"}

    def _has_open_of(self, start: int, end: int) -> bool:
        """Whether "of" stands between, other than after a number: "both of", "the name of"."""
        return any(
            self._reading.get_word(index) == "of"
            and self._reading.get_word(index - 1) not in NUMBERS
            and self._reading.get_word(index - 1) not in {"name", "contents", "content"} | WHOLE
            for index in range(start, end)
        )

    def _describes_one(self, index: int) -> bool:
        """Whether an adjective belongs to a name, which it can't narrow, or to what is made."""
        word = self._reading.get_word(index)
        if word in _LOCATED:
            return self._reading.get_word(index + 1) in PLACING
        after = self._skip(index, NAMING)
        span = self._find_span(after)
        if span is None:
            return self._get_role(after) not in {"", "trigger", "path"} or (word == "made" and index > 0)
        named = span.start == span.end and not is_pattern(self._reading.tokens[after].text)
        return named and span.role != "holder"

    def _is_whole_folder(self, index: int) -> bool:
        """Whether "whole" or "full" stands before the one folder that is meant."""
        if self._reading.get_word(index) not in {"whole", "entire", "complete", "full"}:
            return False
        span = self._find_span(self._skip(index))
        if span is None or span.role != "target" or span.start != span.end:
            return False
        return self._reading.around.is_folder(self._reading.tokens[span.start].text)

    def _names_result(self, index: int) -> bool:
        """Whether a noun is what the next named place holds: "put the result into x"."""
        after = self._skip(index, PREPOSITIONS | _STORING | frozenset({"one", "format", "and", ","}))
        return self._get_span_role(after) in {"destination", "argument"} or self._get_role(after) == "format"

    def _leads_to_destination(self, index: int) -> bool:
        """Whether the next thing that is named is where the result goes: "save it as x", "the result in y"."""
        after = self._skip(index, PREPOSITIONS | _STORING | frozenset({"one", "format", "and", ","}))
        return self._get_span_role(after) in {"destination", "argument"} or self._get_role(after) not in {
            "",
            "trigger",
            "path",
            "flag",
        }

    def _is_governing(self, index: int) -> bool:
        """Whether a preposition belongs to what follows it, or to the verb before it ("back up")."""
        word = self._reading.get_word(index)
        if (word in _PARTICLES and self._get_role(index - 1) == "trigger") or (
            word == "to" and index < self._first_trigger
        ):
            return True
        after = self._skip(index, frozenset(NUMBERS) | PREPOSITIONS)
        while self._reading.is_free(after) and self._is_described(after):
            if after + 1 == len(self._reading) or self._reading.get_word(after + 1) in PREPOSITIONS:
                return True  # "for commit", "for problems in x": what it governs is what the tool says of itself
            after = self._skip(after)
        if self._get_role(after) == "path":
            return self._is_governing_path(word, after)
        known = self._get_role(after) or word in {"called", "named"}
        return bool(known) or self._reading.get_word(after) in self._words_before(index)

    def _is_governing_path(self, word: str, after: int) -> bool:
        """Whether a preposition fits the role of the path that it governs."""
        place = self._get_span_role(after)
        if place == "holder":
            return word in PLACING | OUT_OF or word == "with"
        if place == "target" and word in PLACING and word != self._get_marker(after):
            return False
        # What a target is taken out of, or made of, is looked at by the parts.
        return place != "target" or word in _OPENING | OUT_OF | NAMING | {"with", "to", "by", "as"}

    def _words_before(self, index: int) -> frozenset[str]:
        """Words that may follow a preposition before the verb: "for me", "with you"."""
        return POLITE if index < self._first_trigger else frozenset({"me", "us", "you"})

    def _find_parts(self) -> frozenset[int]:
        """Find the words that name a part of a target: "a page of x.docx", "the key in x.yaml", "from x.tar"."""
        found: set[int] = set()
        for start, _, role, _ in self._reading.roles:
            if role != "target":
                continue
            place, opening = start - 1, -1
            while place >= 0 and self._reading.is_free(place):
                word = self._reading.get_word(place)
                if word in _OPENING and opening < 0:
                    opening = place
                elif word not in _SKIPPED and word not in NAMING and not self._is_kind_word(place):
                    break
                place -= 1
            if opening < 0 or any(self._is_by_name(index) for index in (opening - 2, opening - 3)):
                continue
            found |= self._list_part_words(opening, is_pattern(self._reading.tokens[start].text))
        return frozenset(found)

    def _list_part_words(self, opening: int, is_several: bool) -> set[int]:
        """List the words of a part before the preposition at ``opening``, and it too if nothing may stand there.

        ``is_several``: the target is a pattern, so that "the pictures in *.png" names the whole.
        """
        words, place = [], opening - 1
        while self._reading.is_free(place) and self._reading.tokens[place].kind != "separator":
            words.append(place)
            place -= 1
        said = [self._reading.get_word(index) for index in words]
        nouns = [
            index
            for index, word in zip(words, said, strict=True)
            if word in TYPE_NOUNS or word in NUMBERS or word in SELECTING or self._is_kind_noun(index)
        ]
        one = {"a", "an"} & set(said)
        if is_several and not one and not (frozenset(NUMBERS) | SELECTING) & set(said):
            return set()
        word = self._reading.get_word(opening)
        if Effect.REMOVES in self._effects:
            plain = not [each for each in said if each not in DETERMINERS | WHOLE | _NEUTRAL]
            kept = plain and (word == "of" and bool(WHOLE & set(said)))
            return set() if kept else {*words, opening}
        harmed = Effect.CHANGES in self._effects
        if not self._is_strict:
            return {*nouns, opening} if one and nouns else set()
        if nouns or (harmed and one):
            return {*(nouns or words), opening}
        return set()


_CHOOSING = split_words("some several few half another either random rest remaining certain whichever")
"""Words that choose also where something is only looked at."""
