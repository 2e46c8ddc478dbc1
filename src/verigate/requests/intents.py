"""Find the intent of a request: its triggers, the tool that it names, and whether it is an order at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from verigate.requests.reading import split_phrase
from verigate.requests.tokenizer import Token, stem_text
from verigate.requests.vocabulary import LIGHT, NEGATIONS, POLITE
from verigate.tools.model import ToolCapability

_FORCING = frozenset({"using", "with", "via", "by", "through"})
_CONDITIONS = frozenset({"if", "unless", "whether", "should", "why", "when", "suppose", "imagine"})
_ASKING = frozenset({"test", "check", "see", "verify", "know", "tell", "show", "find", "determine", "confirm", "look"})
_SHOWING = frozenset(
    {"show", "list", "display", "view", "see", "tell", "print", "which", "what", "who", "where", "how"}
    | {"is", "are", "was", "were", "does", "did", "has", "had", "isn't", "aren't", "doesn't", "didn't"}
)
_CAUSING = frozenset({"get", "have", "want", "wants", "need", "needs", "like", "see"})
_TOLD = frozenset(
    {
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "this",
        "that",
        "these",
        "those",
        "was",
        "were",
        "is",
        "are",
        "been",
        "has",
        "have",
        "had",
        "all",
        "any",
        "every",
        "already",
        "recently",
        "just",
    }
)
_SUBJECTS = frozenset({"he", "she", "it", "that", "this"})
_BEGUN = POLITE - {"the", "a", "an"}


def find_leading_verb(tokens: Sequence[Token]) -> int:
    """Return the index of the first word that is neither polite nor a light verb; len(tokens) if there is none."""
    light: int | None = None
    for index, token in enumerate(tokens):
        word = token.text.lower()
        if token.kind != "word" or (word in _BEGUN or word in {"the", "a", "an"}):
            continue
        if word not in LIGHT:
            return index
        light = index if light is None else light
    return len(tokens) if light is None else light


def strip_inquiry(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], bool]:
    """Drop the "whether" of "check whether x is y"; also return whether the request only asks to look."""
    for index, token in enumerate(tokens):
        word = token.text.lower() if token.kind == "word" else ""
        if word in {"whether", "if"} and index and tokens[index - 1].text.lower() in _ASKING | {"me", "us", "out"}:
            asked = {each.text.lower() for each in tokens[:index]}
            if asked & _ASKING:
                return (*tokens[:index], *tokens[index + 1 :]), True
        if word not in _ASKING | POLITE | {"out", "report"}:
            break
    return tuple(tokens), False


def find_refusal(tokens: Sequence[Token]) -> str | None:
    """Return why a request must not be run: it says not to, or only asks a question; None if it may."""
    words = [token.text.lower() if token.kind == "word" else "" for token in tokens]
    verb = find_leading_verb(tokens)
    for index, word in enumerate(words[: verb + 1]):
        if word in NEGATIONS:
            return f"it says {tokens[index].raw!r}: what is not wanted isn't done, and what is isn't said"
    for index, word in enumerate(words):
        if word in _CONDITIONS:
            return f"{tokens[index].raw!r} asks or sets a condition, and tells nothing to do yet"
    head = [word for word in words if word][:2]
    if head[:1] == ["how"] and head[1:] != ["many"]:
        return "it asks how, and tells nothing to do"
    return None


def extract_forced_alias(
    tokens: Sequence[Token], aliases: Mapping[str, Collection[int]]
) -> tuple[tuple[Token, ...], str | None]:
    """Drop "using <alias>"; also return the alias, None without one.

    ``aliases`` is keyed by the alias in lower case. The last such phrase counts.
    """
    longest = max((len(alias.split()) for alias in aliases), default=1)
    for index in range(len(tokens) - 1, -1, -1):
        if tokens[index].kind != "word" or tokens[index].text.lower() not in _FORCING:
            continue
        start = index + 1
        while start < len(tokens) and tokens[start].text.lower() in {"the", "tool"}:
            start += 1
        for length in range(min(longest, len(tokens) - start), 0, -1):
            part = tokens[start : start + length]
            name = " ".join(token.text.lower() for token in part)
            if name in aliases and all(token.kind in {"word", "path"} for token in part):
                rest = [*tokens[:index], *tokens[start + length :]]
                return _drop_commas(rest), name
    return tuple(tokens), None


def _drop_commas(tokens: list[Token]) -> tuple[Token, ...]:
    while tokens and tokens[0].kind == "separator":
        tokens.pop(0)
    while tokens and tokens[-1].kind == "separator":
        tokens.pop()
    return tuple(tokens)


def is_literal(capability: ToolCapability, tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether the words at ``places`` are the triggers themselves, rather than words of the same stem."""
    words = {word for trigger in capability.triggers for word in trigger.lower().split()}
    return any(tokens[place].text.lower() in words for place in places)


def find_triggers(capability: ToolCapability, tokens: Sequence[Token]) -> tuple[int, ...]:
    """Return the tokens that are triggers of a capability; longer triggers take precedence."""
    found: set[int] = set()
    phrases = sorted({split_phrase(trigger) for trigger in capability.triggers}, key=lambda parts: (-len(parts), parts))
    firsts = {split_phrase(trigger): trigger.lower().split()[0] for trigger in capability.triggers}
    verb = _find_order_verb(tokens)
    for parts in phrases:
        if not parts:
            continue
        for start in range(len(tokens)):
            indexes = _match_phrase(tokens, start, parts)
            if len(parts) > 1 and indexes and start == verb and _is_base_of(tokens[start].text, firsts[parts]):
                continue  # "stage changes" has only the stems of "staged changes"
            if indexes is not None and not found & set(indexes):
                found |= set(indexes)
    found -= _find_participles(capability, tokens, found)
    found -= _find_verbs_of_nouns(capability, tokens, found)
    found -= _find_statements(capability, tokens, found, verb)
    # "a folder called copy": what is said to be a name is no intent.
    found = {place for place in found if not place or tokens[place - 1].text.lower() not in {"called", "named"}}
    if verb in found and _is_other_form(capability, tokens, verb, found):
        found.discard(verb)
    return tuple(sorted(found))


def _find_participles(capability: ToolCapability, tokens: Sequence[Token], found: Collection[int]) -> set[int]:
    """Find participles that describe rather than order: "the deleted file" asks for no deletion.

    "I want x deleted" does ask for one.
    """
    if not (capability.destructive or capability.is_meant_to_write):
        return _find_caused(capability, tokens, found)
    literal = {word for trigger in capability.triggers for word in trigger.lower().split()}
    words = [token.text.lower() for token in tokens]
    done = {place for place in found if words[place].endswith("ed") and words[place] not in literal}
    return {
        place
        for place in done
        if not _CAUSING & set(words[:place]) or words[place - 1] in _TOLD or tokens[place - 1].kind == "separator"
    }


def _find_caused(capability: ToolCapability, tokens: Sequence[Token], found: Collection[int]) -> set[int]:
    """Find participles of a wish, which asks for more than a look: "I'd like to have x formatted"."""
    words = [token.text.lower() for token in tokens]
    return {
        place
        for place in found
        if words[place].endswith("ed")
        and words[place] in capability.triggers
        and {"have", "want", "like", "need", "get"} & set(words[:place])
        and not (_ASKING | _SHOWING | {"is", "are", "not", "whether"}) & set(words[:place])
    }


def _find_verbs_of_nouns(capability: ToolCapability, tokens: Sequence[Token], found: Collection[int]) -> set[int]:
    """Find participles that only share the stem of a trigger in the plural: "changed" is not "changes"."""
    words = {word for trigger in capability.triggers for word in trigger.lower().split()}
    return {
        place
        for place in found
        if (word := tokens[place].text.lower()).endswith("ed")
        and word not in words
        and {each for each in words if stem_text(each) == stem_text(word)} == {f"{word.removesuffix('d')}s"}
    }


def _find_statements(
    capability: ToolCapability, tokens: Sequence[Token], found: Collection[int], verb: int
) -> set[int]:
    """Find verbs of statements, which order nothing: "photo.jpg looks great", "he deletes x"."""
    literal = {word for trigger in capability.triggers for word in trigger.lower().split()}
    return {
        place
        for place in found
        if place != verb
        and place > 0
        and (word := tokens[place].text.lower()).endswith("s")
        and word not in literal
        and word.removesuffix("s") in literal
        and (tokens[place - 1].kind in {"path", "quoted"} or tokens[place - 1].text.lower() in _SUBJECTS)
    }


def is_show_request(tokens: Sequence[Token]) -> bool:
    """Whether a request begins with a verb that only shows: then nothing is changed, whatever else it names."""
    verb = _find_order_verb(tokens)
    return verb >= 0 and tokens[verb].text.lower() in _SHOWING


def _find_order_verb(tokens: Sequence[Token]) -> int:
    """Return the index of the verb that a request begins with, after polite words; -1 if it begins otherwise."""
    for index, token in enumerate(tokens):
        if token.kind == "separator" or (token.kind == "word" and token.text.lower() in _BEGUN):
            continue
        return index if token.kind == "word" else -1
    return -1


def _is_other_form(capability: ToolCapability, tokens: Sequence[Token], verb: int, found: Collection[int]) -> bool:
    """Whether an order only shares the stem of a trigger: "commit" is not "commits"."""
    word = tokens[verb].text.lower()
    after = tokens[verb + 1].text.lower() if verb + 1 < len(tokens) else ""
    if verb + 1 in found or after in {"of", "in", "between", "for"}:
        return False
    same = [trigger.lower() for trigger in capability.triggers if split_phrase(trigger) == tuple(stem_text(word))]
    return bool(same) and all(_is_base_of(word, trigger) for trigger in same)


def _is_base_of(word: str, other: str) -> bool:
    """Whether a word is the base form of another with the same stem: "stage" of "staged"."""
    return len(other) > len(word) and other.endswith(("s", "ed", "ing"))


def _match_phrase(tokens: Sequence[Token], start: int, parts: Sequence[str]) -> tuple[int, ...] | None:
    found: list[int] = []
    index = start
    for part in parts:
        while found and index < len(tokens) and tokens[index].text.lower() in {"the", "a", "an", "of", "my", "out"}:
            if tokens[index].stem == part:
                break
            index += 1
        if index >= len(tokens) or tokens[index].kind != "word":
            return None
        stem = "no" if tokens[index].text.lower() in NEGATIONS else tokens[index].stem
        if stem != part:
            # "re-encode" is one word of two stems, or of one.
            if tuple(parts) not in {stem_text(tokens[index].text), stem_text(tokens[index].text.replace("-", ""))}:
                return None
            return (index,)
        found.append(index)
        index += 1
    return tuple(found)
