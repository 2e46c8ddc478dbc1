"""Read which weakenings a text discloses in prose: "remove the IDN host tests", "skip on Windows: no sed there".

A sentence covers a weakening if it has a word for what was done to its kind, and names it: its test by name, or in a
sentence about tests by all words of the name that tell it apart; or the rule, tool or value that the finding names. A
sentence about tests in common covers those whose names have all its telling words; a number in it has to be theirs.

Words that stand in many sentences name nothing: whoever weakens a check writes the message as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from verigate.domain.weakening import TOKEN
from verigate.statements.commits.objects import NAMES, list_names
from verigate.statements.commits.vocabulary import split_words
from verigate.statements.lexicon import NUMBERS
from verigate.statements.stems import stem_words

MAX_SENTENCE = 500
"""Characters of a sentence; a longer one discloses nothing."""

_MOST_SENTENCES = 500
_MOST_REJECTED = 50
_SHOWN = 160
_DENIES = re.compile(
    r"\b(?:not|never|without|no longer|un(?:do|does|did)|instead of)\b|n't\b|^(?:nothing|none)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=\s*[-*+] )")
_NO_PROSE = re.compile(rf"(?: {{4}}|\t|#)|.*\b(?:{TOKEN}|Corrects):", re.IGNORECASE)
"""Lines of code, comments, and lines of a form of their own."""

_REMOVES = r"remov\w*|delet\w*|drop(?:s|ped|ping)?|g[eo]t(?:s|ting)? rid of|retir\w*"
_SKIPS = r"skip\w*|disabl\w*|xfail\w*|ignor\w*|mark(?:s|ed)? as (?:xfail|skipped|flaky|broken|todo)|only run(?:s)? on"
_ALLOWS = rf"ignor\w*|disabl\w*|suppress\w*|silenc\w*|allow\w*|turn(?:s|ed)? off|exclud\w*|exempt\w*|noqa|{_REMOVES}"
_LOWERS = r"lower\w*|reduc\w*|relax\w*|decreas\w*|exclud\w*|informational|drop(?:s|ped|ping)?"
_LOOSENS = r"loosen\w*|relax\w*|weaken\w*|accept\w*|tolerat\w*|widen\w*|less strict\w*|more (?:lenient|tolerant)\w*"
_COMMANDS = (
    rf"{_REMOVES}|skip\w*|disabl\w*|exclud\w*|ignor\w*|"
    r"allow\w* (?:\w+ )*to fail|non-?fatal|may fail|optional|only run\w*"
)
_SKIPPING = r"test_skipped|test_collection_narrowed|test_focused"
_OF_OBJECTS = rf"test_removed|assertion_removed|lost|{_SKIPPING}"
"""Kinds of which a sentence must have the test as its object."""

_PLATFORMS = {"window": r"win32|windows|\bnt\b|\bWIN\b", "maco": r"darwin|macos|osx", "linux": "linux", "pypi": "pypy"}
"""Stems of platforms -> how conditions write them."""

_ANY_DEED = re.compile(rf"\b(?:{_REMOVES}|{_SKIPS}|{_ALLOWS}|{_LOWERS}|{_LOOSENS}|{_COMMANDS})\b", re.IGNORECASE)
_GIVES_REASON = re.compile(r":\s|\s(?:because|since|as|until)\s", re.IGNORECASE)
"""What only gives a reason follows. A comma may add another object: "skip test_a, not test_b"."""

_BY_KIND: tuple[tuple[str, str], ...] = (
    (r"test_removed|assertion_removed|lost", _REMOVES),
    (_SKIPPING, _SKIPS),
    (r"lint_config_weakened|suppression_added|exemption_added", _ALLOWS),
    (r"threshold_lowered|coverage_narrowed", _LOWERS),
    (r"assertion_weakened|assertion_swallowed|loosened|expectation_changed|followed", _LOOSENS),
    (r"check_command_weakened|ci_nonfatal|hook_weakened", _COMMANDS),
)
_NO_DEED = re.compile(
    r"\b(?:the|an?|this|that|these|those|its|which|who|had|stop(?:s|ped|ping)?|avoid(?:s|ed|ing)?|quits?|undo(?:es)?|"
    r"no|from|once|previously|formerly|already)(?:\s+(?:was|were|is|are|been|being|previously|already))*\s+$",
    re.IGNORECASE,
)
"""What stands before a word that says of something what it is, or was, and not what is done: "the skipped test"."""

_ADDS = re.compile(r"\b(?:add(?:s|ed|ing)?|put(?:s|ting)?)\s+(?:(?:an?|the)\s+)?$", re.IGNORECASE)
_REVERSED = re.compile(r"\b(?:re-?enabl\w*|un-?(?:skip|ignor|disabl|xfail)\w*|no longer|again)\b", re.IGNORECASE)
_TESTS_DENIED = re.compile(
    r"\bno (?:\w+ )?tests? (?:\w+ )?(?:was|were|is|are|has been|have been|got) (?:\w+ )?"
    r"(?:skipp|weaken|remov|disabl|delet|dropp|ignor|loosen|chang|modif)",
    re.IGNORECASE,
)
_OBJECT = split_words("""
    the a an all both new old flaky slow failing broken obsolete redundant duplicate duplicated unused outdated two
    three test tests case cases spec specs suite unit integration that named called function method for of and marker
    mark decorator annotation to on hook hooks linter
    """)
"""What may stand between a verb and the name of its test: what has another object says nothing of the test."""

_PASSIVE = split_words("is are was were be been being gets get got has have now as temporarily therefore also")
_GAP = re.compile(r"[\s,&`\"'()]+")

_OF_TESTS = re.compile(r"\btests?\b|\btest cases?\b|\bspecs?\b", re.IGNORECASE)
_COUNT = re.compile(
    rf"\b(?:(?P<digits>\d{{1,4}})|(?P<word>{'|'.join(NUMBERS)})) (?:\w+ ){{0,3}}?(?:tests?|test cases?|specs?)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"[:,;]| \(| (?:as|because|since|so that|which|that|until|due to|in favou?r of|for now)\b", re.IGNORECASE
)
"""Where a sentence stops to name, and gives a reason."""

_ONE_FINDING = re.compile(
    r"\b(?:ignor\w*|suppress\w*|silenc\w*|disabl\w*) (?:the |a |an |one |this )?(?:\w+ )?"
    r"(?:lint\w*|type[ -]?check\w*|mypy|ruff|eslint|gosec|clippy|pylint|sonar\w*)[ :]"
    r"(?:\w+ )?(?:error|warning|finding|rule|complaint)\b",
    re.IGNORECASE,
)
_OF_COVERAGE = re.compile(r"no[ -]?cover|nocov|(?:istanbul|c8|v8) ignore|codeCoverageIgnore", re.IGNORECASE)
_UNCOVERED = re.compile(
    r"\b(?:exclud|omit|ignor|leav)\w* [^.;:]{3,80} (?:from|out of) (?:the )?(?:\w+ )?coverage\b", re.IGNORECASE
)
_REMOVED_TESTS = "test_removed|lost"
_NAMES_ALONE = re.compile(
    rf"(?:(?:the|deprecated|old|unused) )*{NAMES}(?: (?:function|method|class|option|helper)s?)?\.?"
)
_NUMBER = re.compile(r"\s*\(#\d+\)\.?\s*$")
"""That of the pull request, at the end of a subject."""

_OF_EXAMPLES = re.compile(r"\b(?:examples?|demos?|tests?)\b", re.IGNORECASE)
_IS_CODE = re.compile(r"_|[a-z][A-Z]|\d|\(\)")
"""What a test's name has that no word of prose has."""

_IS_RULE = re.compile(r"[A-Z]{1,6}\d{2,4}|@?\w+(?:[-/][\w-]+)+")
_TELLING = 5
"""Characters of a value from which it tells something."""

_COMMON = split_words("false always never test tests build ci main lint check checks release package workflow python")
"""Names of files and values that stand in sentences about anything."""

_GONE_HOOK = re.compile(r"the hook (?P<name>\S+) is gone")
_NAME_OF_FILE = re.compile(r"^.*/|\.[^./]*$")


class Weakened(Struct, frozen=True):
    """What may be disclosed: a weakening, and what the finding about it says."""

    kind: str
    path: str
    test: str | None
    message: str = ""


class ProseReading(Struct, frozen=True):
    """What a text discloses, by the position of the weakening, with the sentence; and what it says wrongly."""

    covered: tuple[tuple[int, str], ...] = ()
    faults: tuple[str, ...] = ()


def read_prose(lines: Iterable[str], weakened: Sequence[Weakened]) -> ProseReading:
    """Read which of ``weakened`` the lines of a text disclose in prose. Never raises."""
    covered: dict[int, str] = {}
    faults: list[str] = []
    sentences = _SENTENCE_END.split("\n".join(line for line in lines if _NO_PROSE.match(line) is None))[
        :_MOST_SENTENCES
    ]
    plain = [" ".join(each.split()) for each in sentences]
    rejected: list[tuple[frozenset[int], str]] = []
    if (denying := next(filter(_TESTS_DENIED.search, plain), None)) is not None:
        could = frozenset[int]().union(*(_list_covered(each, weakened)[0] for each in plain[:_MOST_REJECTED]))
        rejected.append((could, f"no sentence discloses a test since one denies it: {denying[:_SHOWN]}"))
        weakened = [each if each.test is None else _NOTHING for each in weakened]
    titles = _compile_titles(weakened)
    for sentence in plain:
        if not sentence or len(sentence) > MAX_SENTENCE:
            continue
        said, objection = _find_denial(sentence, titles)
        if objection and len(rejected) >= _MOST_REJECTED:
            continue
        found, fault = _list_covered(said, weakened)
        if objection:
            rejected.append((found, f"{objection}: {sentence[:_SHOWN]}"))
        elif fault:
            faults.append(fault)
        else:
            covered |= {index: sentence for index in found if index not in covered}
            mentioned = _list_mentioned(said, weakened) - found if len(rejected) < _MOST_REJECTED else None
            if mentioned:
                rejected.append((mentioned, f"the verb isn't about the test: {sentence[:_SHOWN]}"))
    faults += [why for found, why in rejected if found and found.isdisjoint(covered)]
    return ProseReading(tuple(sorted(covered.items())), tuple(faults))


def _find_denial(sentence: str, titles: re.Pattern[str]) -> tuple[str, str]:
    """Find what a sentence says before it gives a reason, and why that discloses nothing; "" if it may.

    The reason may deny what it likes, and names nothing then: "skip test_a: it is not stable".
    """
    own = titles.sub(lambda found: "_" * len(found.group()), sentence)
    if _DENIES.search(own) is None and _REVERSED.search(own) is None:
        return sentence, ""
    deed = _ANY_DEED.search(own)
    reason = _GIVES_REASON.search(own, deed.end()) if deed is not None else None
    # "Skip the cart tests: not that of the total" limits what is skipped, and is no reason.
    is_limit = reason is None or _DENIES.match(own, reason.end()) is not None
    end = len(own) if reason is None or is_limit else reason.start()
    denial = _DENIES.search(own, 0, end) or _REVERSED.search(own, 0, end)
    return sentence[:end], "" if denial is None else f"it discloses nothing since it says '{denial.group()}'"


def _compile_titles(weakened: Sequence[Weakened]) -> re.Pattern[str]:
    """Match each quoted title of a test, whose words say nothing of what was done to it."""
    titles = sorted({_name_last(each.test) for each in weakened if each.test})
    return re.compile("|".join(map(_quote, filter(None, titles))) or r"(?!)")


def _list_covered(sentence: str, weakened: Sequence[Weakened]) -> tuple[frozenset[int], str]:
    """List the weakenings that a sentence covers, and what is wrong with its number."""
    together, fault = _list_together(sentence, weakened)
    if fault:
        return frozenset(), fault
    found = (*together, *_list_named(sentence, weakened), *_list_titled(sentence, weakened))
    found = (*found, *_list_of_removed(sentence, weakened))
    return frozenset((*found, *_list_single(sentence, weakened))), ""


def _list_mentioned(sentence: str, weakened: Sequence[Weakened]) -> frozenset[int]:
    """List the weakenings whose test a sentence names, with a verb for what was done to it."""
    return frozenset(
        index
        for index, each in enumerate(weakened)
        if each.test and _list_deeds(sentence, each.kind) and _names_test(sentence, _name_last(each.test))
    )


_NOTHING = Weakened("", "", "")
"""Stands for a weakening of a test in a text that denies that there is one: no sentence covers it."""


def _list_deeds(sentence: str, kind: str) -> list[re.Match[str]]:
    """List the words that say that something of a kind was done."""
    words = next((words for kinds, words in _BY_KIND if re.fullmatch(kinds, kind)), None)
    return _find_deeds(sentence, words) if words is not None else []


def _find_deeds(sentence: str, words: str) -> list[re.Match[str]]:
    found = re.finditer(rf"\b(?:{words})\b", sentence, re.IGNORECASE)
    return [each for each in found if _is_deed(sentence[: each.start()])]


def _is_deed(before: str) -> bool:
    return _NO_DEED.search(before) is None or _ADDS.search(before) is not None


def _list_named(sentence: str, weakened: Sequence[Weakened]) -> Iterator[int]:
    """List the weakenings that a sentence names each for itself."""
    for index, each in enumerate(weakened):
        deeds = _list_deeds(sentence, each.kind)
        if deeds and _is_named(each, sentence, deeds):
            yield index


def _list_of_removed(sentence: str, weakened: Sequence[Weakened]) -> Iterator[int]:
    """List the tests that go with what a sentence removes: a name in code and nothing else, or examples in a folder."""
    done = next(iter(_find_deeds(sentence, _REMOVES)), None)
    if done is None:
        return
    named = _REASON.split(_NUMBER.sub("", sentence[done.end() :]), maxsplit=1)[0]
    names = list_names(named) if _NAMES_ALONE.fullmatch(named.strip()) else []
    telling = stem_words(named) if _OF_EXAMPLES.search(named) else frozenset()
    for index, each in enumerate(weakened):
        if not re.fullmatch(_REMOVED_TESTS, each.kind):
            continue
        of_name = any(re.search(rf"(?<![\w$])(?:Test)?{re.escape(name)}(?![\w$])", each.test or "") for name in names)
        if of_name or (len(telling) > 1 and telling <= stem_words(each.path.rpartition("/")[0])):
            yield index


def _list_single(sentence: str, weakened: Sequence[Weakened]) -> tuple[int, ...]:
    """List the one suppression of a change, if a sentence says that a linter's finding, or coverage, is ignored."""
    found = tuple(index for index, each in enumerate(weakened) if each.kind == "suppression_added")
    if len(found) != 1:
        return ()
    of_coverage = _OF_COVERAGE.search(weakened[found[0]].message) is not None
    return found if (_UNCOVERED if of_coverage else _ONE_FINDING).search(sentence) else ()


def _is_named(each: Weakened, sentence: str, deeds: Sequence[re.Match[str]]) -> bool:
    if (hook := _GONE_HOOK.match(each.message)) is not None:
        named = _find_phrase(sentence, hook["name"])
        before = [deed for deed in deeds if named is not None and deed.end() <= named.start()]
        return named is not None and any(_is_object(sentence, deed, named) for deed in before)
    if each.test is None:
        return any(_find_phrase(sentence, phrase) for phrase in _list_objects(each))
    last = _name_last(each.test)
    of_tests = _OF_TESTS.search(sentence) is not None
    named = _find_phrase(sentence, last)
    if named is not None and _names_test(sentence, last):
        return not re.fullmatch(_OF_OBJECTS, each.kind) or any(_is_object(sentence, deed, named) for deed in deeds)
    telling = stem_words(last)
    if not of_tests or len(telling) < 2 or not telling <= stem_words(sentence):
        return False
    done = deeds[0]
    said = stem_words(_REASON.split(f"{sentence[: done.start()]} {sentence[done.end() :]}", maxsplit=1)[0])
    return not re.fullmatch(_OF_OBJECTS, each.kind) or said <= stem_words(f"{each.test} {each.path}")


def _name_last(test: str | None) -> str:
    return re.split(r"::| > |\.", test or "")[-1].strip()


def _names_test(sentence: str, last: str) -> bool:
    """Whether a sentence names a test by a name that stands for nothing else there."""
    if _find_phrase(sentence, last) is None:
        return False
    return _OF_TESTS.search(sentence) is not None or _IS_CODE.search(last) is not None


def _list_titled(sentence: str, weakened: Sequence[Weakened]) -> Iterator[int]:
    """List the skips of the one test whose title a sentence has in quotes, as what it skips."""
    skipped = [(index, each) for index, each in enumerate(weakened) if re.fullmatch(_SKIPPING, each.kind) and each.test]
    deeds = _find_deeds(sentence, _SKIPS)
    for index, each in skipped if deeds else ():
        title = _name_last(each.test)
        quoted = re.search(_quote(title), sentence)
        same = {(other.path, other.test) for _, other in skipped if _name_last(other.test) == title}
        if quoted is not None and len(same) == 1 and any(_is_object(sentence, deed, quoted) for deed in deeds):
            yield index


def _quote(title: str) -> str:
    return rf"(?<!\w)[\"'`\u201c]{re.escape(title)}[\"'`\u201d](?!\w)"


def _is_object(sentence: str, deed: re.Match[str], named: re.Match[str]) -> bool:
    """Whether a name is what a verb is about: "skip the flaky test_a and test_b", "test_a is skipped"."""
    if deed.end() <= named.start():
        between, fillers = sentence[deed.end() : named.start()], _OBJECT
    else:
        between, fillers = sentence[named.end() : deed.start()], _PASSIVE
    words = [word for word in _GAP.split(between) if word]
    return all(word.lower() in fillers or word.isdigit() or _IS_CODE.search(word) is not None for word in words)


def _find_phrase(sentence: str, phrase: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w$-]){re.escape(phrase)}(?![\w$-])", sentence, re.IGNORECASE)


def _list_objects(each: Weakened) -> tuple[str, ...]:
    """List what the finding about a setting or command names, each of which is enough; () for what tells nothing."""
    rule = re.match(r"new suppression \((?P<codes>[^),]*)\)", each.message)
    gone = re.match(r"no step runs (?P<tool>.+) any more", each.message)
    said = each.message.rpartition(": ")[2]
    left_out = re.match(r"(?P<what>\S+) is (?:left out|gone)", said)
    option = re.match(r"--[\w-]+[= ]\"?(?P<value>[^\"\s]+)\"?$", said)
    trigger = each.message.startswith("the pipelines no longer run on")
    found = (
        rule["codes"] if rule is not None and rule["codes"] != "everything" else "",
        gone["tool"] if gone is not None else "",
        left_out["what"] if left_out is not None and _IS_RULE.fullmatch(left_out["what"]) else "",
        option["value"] if option is not None and len(option["value"]) >= _TELLING else "",
        _NAME_OF_FILE.sub("", each.path) if trigger else "",
    )
    return tuple(each for each in found if each and each.lower() not in _COMMON)


def _list_together(sentence: str, weakened: Sequence[Weakened]) -> tuple[tuple[int, ...], str]:
    """List the weakenings of tests that a sentence names in common, and what is wrong with its number."""
    for kinds, words in _BY_KIND[:2]:
        done = next(iter(_find_deeds(sentence, words)), None)
        telling = stem_words(_REASON.split(sentence[done.end() :], maxsplit=1)[0]) if done is not None else frozenset()
        elsewhere = kinds == _SKIPPING and bool(telling) and telling <= _PLATFORMS.keys()
        if not telling or (_OF_TESTS.search(sentence) is None and not elsewhere):
            continue
        count = _read_count(sentence)
        found = tuple(
            index
            for index, each in enumerate(weakened)
            if each.test is not None and re.fullmatch(kinds, each.kind) and _has_words(each, telling)
        )
        tests = {(weakened[index].path, weakened[index].test) for index in found}
        if found and count is not None and count != len(tests):
            return (), f"it says {count}, and {len(tests)} are affected: {sentence[:_SHOWN]}"
        if found:
            return found, ""
    return (), ""


def _has_words(each: Weakened, telling: frozenset[str]) -> bool:
    """Whether test and file have all the telling words of a sentence."""
    own = stem_words(f"{each.test or ''} {each.path}")
    if re.fullmatch(_SKIPPING, each.kind):
        own |= {name for name, written in _PLATFORMS.items() if re.search(written, each.message, re.IGNORECASE)}
    return telling <= own


def _read_count(sentence: str) -> int | None:
    found = _COUNT.search(sentence)
    if found is None:
        return None
    return int(found["digits"]) if found["digits"] else NUMBERS.get(found["word"].lower())
