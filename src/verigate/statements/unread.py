"""Find what a message may claim although no fact is read from it: another language, a code block, a wordy sentence.

The parser reads English and Markdown. What it leaves out may still say that work was done, and a person has to hear
that nobody compared it with anything. Reported too often is a line too much; too seldom is a claim that nobody saw.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from verigate.domain.statement_reading import MAX_CHARACTERS, StatementKind
from verigate.statements.claims import read_text
from verigate.statements.commits.deeds import says_work
from verigate.statements.commits.message import split_message, strip_trailers
from verigate.statements.markup import strip_markup, strip_quotations
from verigate.statements.reading import read_statement

_MOST_LINES = 400
_MOST_HIDDEN = 20
_ENGLISH = frozenset(
    (  # noqa: SIM905 (names read better as text)
        "the is are were all of and we it this that with for be been have has you can not now which there they your "
        "what how should would if from by when does to as or at but also only these those will could any no"
    ).split()
)
"""Words without which hardly an English sentence is written; none is frequent in another language."""

_FOREIGN = frozenset(
    (  # noqa: SIM905 (names read better as text)
        "und der das ist sind nicht mit für fuer alle ich habe wurde wurden jetzt hinzugefügt hinzugefuegt behoben "
        "bestehen les sont une tous toutes ajouté ajoute ajoutée corrigé avec pour passent los las una todas todos "
        "añadido agregado corregido pruebas pasan uma são adicionado corrigido testes passam gli sono aggiunto "
        "corretto tutti het een zijn toegevoegd slagen dodano wszystkie testy ve bir eklendi alla tester"
    ).split()
)
"""Words that a commit's message in another language has, and one in English hasn't."""

_SHORT = frozenset("yes no ok okay sure hello hi hey thanks thank you welcome understood please bye right good".split())  # noqa: SIM905 (as above)
_OUTCOME = re.compile(
    r"\b(?:fix(?:ed|es)|added|implemented|created|done|works?|working|pass(?:es|ed|ing)?|green|complete[ds]?|finished|"
    r"resolved|ready|succeed(?:s|ed)?|success(?:ful(?:ly)?)?|verified|clean|solved|in place|exists?)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--|-->")
_ENTITY = re.compile(r"&#?\w{2,8};")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PROSE = re.compile(r"[\w\s.,:;!?'\u2019\"%\u00a1\u00bf-]+")
_OPEN = frozenset({StatementKind.UNMAPPED, StatementKind.PART, StatementKind.REPORTED})
"""Kinds in which something may be claimed that no fact decides. Plans, denials and guesses claim nothing."""


def list_hidden_claims(text: str, statements: Sequence[str]) -> tuple[str, ...]:
    """List lines of ``text`` that aren't in its ``statements`` and would claim something, each as a quotation.

    They stand in code blocks, comments, heads of tables and lines that end with a colon. At most 20; never raises.
    """
    said = _reduce(" ".join(statements))
    found: list[str] = []
    for line in text.splitlines()[-_MOST_LINES:]:
        plain = _strip_frame(line)
        reduced = _reduce(plain)
        if reduced and reduced not in said and len(found) < _MOST_HIDDEN and _claims_when_read(plain):
            found.append(f"> {plain[: MAX_CHARACTERS - 2]}")
    return tuple(found)


def find_unread(text: str, statements: Sequence[str]) -> str | None:
    """Find the first of ``statements`` that may claim something and from which no fact is read; None without one.

    ``text`` is what they were taken from. One that says nothing but signs ("\u2705") is returned itself. Never raises.
    """
    if not statements:
        return text.strip() or None if _has_signs(text) else None
    is_english = any(word in _ENGLISH for word in _list_words(text))
    return next((each for each in statements if _is_unread(each, is_english=is_english)), None)


def find_unread_commit(message: str) -> str | None:
    """Find what a commit's message may claim in code blocks, comments, another language or too long a sentence.

    None without anything of the kind. Never raises. An English sentence of which no fact is known is usual in commits.
    """
    said = strip_trailers(message)
    statements = split_message(message)
    found = next(iter(list_hidden_claims(said, statements)), None)
    return found or next((each for each in statements if _is_long_or_foreign(each)), None)


def _is_long_or_foreign(statement: str) -> bool:
    if len(statement) >= MAX_CHARACTERS or _is_of_another_script(strip_quotations(strip_markup(statement))):
        return True
    words = set(_list_words(statement))
    return not words.isdisjoint(_FOREIGN) and words.isdisjoint(_ENGLISH)


def _is_unread(statement: str, *, is_english: bool) -> bool:
    if len(statement) >= MAX_CHARACTERS:
        return True
    quoted = statement.startswith(">")
    own = _strip_frame(statement) if quoted else statement
    [reading] = [each.reading for each in read_text(own)[:1]] or [None]
    if reading is None:
        reading = read_statement(own)
    if reading.facts:
        return quoted
    if quoted and says_work(own):
        return True
    if reading.kind not in _OPEN or own.rstrip("*_ ").endswith("?"):
        return False
    plain = strip_markup(own)
    return bool(_OUTCOME.search(plain) or _ENTITY.search(plain)) or _is_foreign(plain, is_english=is_english)


def _claims_when_read(line: str) -> bool:
    reading = read_statement(line)
    if reading.facts or says_work(line):
        return True
    return reading.kind in _OPEN and _PROSE.fullmatch(line) is not None and _is_of_another_script(line)


def _is_foreign(plain: str, *, is_english: bool) -> bool:
    """Whether a sentence isn't English. ``is_english``: whether a word around it is, which decides for short ones."""
    if _is_of_another_script(plain):
        return True
    words = _list_words(plain)
    if any(word in _ENGLISH for word in words):
        return False
    return len(words) > 2 or (bool(words) and not is_english and not set(words) <= _SHORT)


def _is_of_another_script(text: str) -> bool:
    letters = unicodedata.normalize("NFC", text)
    return any(each.isalpha() and not unicodedata.name(each, "").startswith("LATIN ") for each in letters)


def _list_words(text: str) -> list[str]:
    return [word.lower().partition("'")[0] for word in _WORD.findall(text.replace("\u2019", "'"))]


def _strip_frame(line: str) -> str:
    """Strip what makes a line a comment, a quotation, a heading, an item or a row of a table."""
    return strip_markup(_COMMENT.sub(" ", line).strip().lstrip("#>|-*+/; ").rstrip("| "))


def _reduce(text: str) -> str:
    return "".join(letter.lower() for letter in text if letter.isalnum())


def _has_signs(text: str) -> bool:
    return any(unicodedata.category(sign) == "So" for sign in text)
