"""Put the name for "it" where a request first says how a thing is, then what to do: "x is outdated, delete it"."""

from __future__ import annotations

from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.vocabulary import DANGEROUS, NEGATIONS, split_words
from verigate.requests.wordings.cells import compile_wording, flag_cells, is_name, list_group

_VERB = r"(?:is|are|was|were|looks?|seems?|has|have|got|became|needs?|must|should|lies|lie)"
_NEXT = r"[,;.](?: (?:so|and|please|then|can you|could you|just))*(?P<o> \S+ .+)"
_CLAUSES = (
    rf"<X> {_VERB}(?P<s>(?: \S+?){{1,7}}) {_NEXT}",
    (
        rf"(?:i|we|they|someone|somebody|there is|there's|this is|that is)(?P<b>(?: \S+?){{1,5}}) <X>(?P<s>(?: "
        rf"\S+?){{0,6}}) {_NEXT}"
    ),
)
_PRONOUNS = split_words("it them that this these those")
_NEEDLESS = ("not needed", "no longer needed", "not used", "no longer used", "not needed any more", "no longer in use")
_TURNING = DANGEROUS | NEGATIONS | split_words("some any half most both either who which whose")


def resolve_pronoun(tokens: tuple[Token, ...], around: Surroundings) -> tuple[Token, ...]:
    """Return the order with the name in the place of its pronoun, without the clause that says how the thing is.

    The clause may name nothing else and say nothing that could narrow the order: no negation, number or condition.
    """
    if not any(token.text in {",", ";", "."} for token in tokens):
        return tokens
    cells = flag_cells(tokens, around)
    found = next((match for each in _CLAUSES if (match := compile_wording(each).fullmatch(cells)) is not None), None)
    if found is None:
        return tokens
    said, order = (*list_group(tokens, found, "b"), *list_group(tokens, found, "s")), list_group(tokens, found, "o")
    text = " ".join(token.text.lower() for token in said)
    words = set(text.split())
    if any(is_name(token, around) or token.text.isdecimal() for token in said):
        return tokens
    compared = set() if "than" in words else {"smaller", "larger", "bigger"}
    if (words - compared) & _TURNING and text not in _NEEDLESS:
        return tokens
    places = [place for place, token in enumerate(order) if token.text.lower() in _PRONOUNS and token.kind == "word"]
    if len(places) != 1 or not places[0]:
        return tokens
    name = list_group(tokens, found, "x")
    return (*order[: places[0]], *name, *order[places[0] + 1 :])
