"""Find the words that make a sentence no claim: negations, hedges, conditions, plans, past states, reported speech.

They are looked for first: a sentence with one of them is never a claim of success.
"""

from __future__ import annotations

import re

from verigate.domain.statement_reading import StatementKind
from verigate.statements.quantifiers import normalize_quantifiers

_DONE = r"(?:run|ran|execut\w*|verif\w*|check\w*|confirm\w*|measur\w*|tested|tried|try|re-?run|validat\w*|possible)"
_NOT = r"(?:\b(?:not|never|unable to|failed to|fails to|fail to)|n't)"
_OTHERS = (
    r"(?:users?|you|agents?|colleagues?|teammates?|ci|readme|issues?|tickets?|reviewers?|maintainers?|authors?|logs?|"
    r"changelog|he|she|they|bot|pr|tasks?|prompt|spec|documentation|docs|description|comment|brief|subagents?|"
    r"dashboard|somebody|someone|team)"
)
_SAYING = (
    r"(?:says?|said|claims?|claimed|reports?|reported|states?|stated|asks?|asked|tells?|told|promises?|promised|"
    r"requires?|required|requests?|requested|mentions?|mentioned|suggests?|suggested|notes?|noted|wants?|wanted|"
    r"insists?|insisted|showed|shows|printed)"
)

EXCEPTION = re.compile(
    r"\b(?:except\w*|apart from|aside from|other than|save for|bar(?:ring)?|exclud\w+|although|though|despite|"
    r"in spite of|"
    r"disabl\w+ (?:two|one|it|them|some|\d+|the|a)|minus|ignoring|not counting|leaving out|but (?:for|not|the|one|two)|"
    r"but i (?:had|have) to|skipping (?:the|some|two|one))\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    rf"{_NOT}(?: \w+){{0,2}}? {_DONE}\b|{_NOT}(?: yet| actually| really)? test\b|"
    rf"\bnot (?:all|every|each)(?: \w+){{0,5}}? {_DONE}\b|"
    rf"\b(?:can't|cannot|can not|couldn't|could not|unable|wasn't able|won't|"
    rf"will not)\b|"
    rf"\bwithout (?:\w+ )?(?:running|verifying|checking|testing)\b|\bno \w+(?: \w+)? (?:were|was|have been|has been) "
    rf"(?:run|executed|verified|checked|measured)\b|(?:\bnot|n't) (?:true|the case|correct|quite|sure|certain|"
    rf"clear|claim\w*|say\w*|"
    r"guarantee\w*|install\w*|available|applicable|done|finish\w*|attempt\w*|complete[d]?|implemented yet)\b|\bn/a\b|"
    r"\bunverified\b|\bunchecked\b|\bnot yet (?:run|verified)\b|\bnever (?:got|managed)\b|"
    r"\b(?:has|have|had|was|were|been) (?:been )?skipped\b(?! tests)|: *(?:⏭\S* *)?(?:skipped|skip)\W*$|"
    r"\bbefore (?:the|all|any) \w+ (?:pass|succe)\w*|\b(?:tests?|lint|linter|suite|build) failed to (?:run|start|"
    r"execute)\b|"
    r"\bwith(?:out)? (?:and|or) with(?:out)?\b|\bwithout \w+ \w+,? (?:and|or|but) (?:also )?with (?:it|them|one)\b|"
    r"\bgave up\b|\bfalse\b(?! (?:positive|negative))",
    re.IGNORECASE,
)
_SKIPPED_TESTS = re.compile(
    r"\b(?:no|none|some|\d+|one|two|three|four|five|few\w*)(?: of the)?(?: tests?)? "
    r"(?:is|are|was|were|have been|has been) skipped",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:should|shall|would|could|might|may|likely|unlikely|probabl\w+|presum\w+|possibl[ey]|perhaps|maybe|"
    r"seem\w*|appear(?:s|ed)?|"
    r"apparently|believ\w+|think\w*|thought|guess\w*|suspect\w*|hop(?:e|es|ed|ing|efully)|hopefully|expect\w*|"
    r"theor\w+|supposed\w*|suppose|"
    r"afaik|afaict|iirc|imho|imo|roughly|around(?= ~?(?:\d|an?\b|the|half|some|one|two|"
    r"three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred|dozen))|approximately|approx|circa|ca|nearly|almost|most(?:ly)?|virtually|"
    r"practically|basically|"
    r"essentially|partially|partly|sort of|kind of|sometimes|intermittent\w*|occasional\w*|usually|often|"
    r"generally|typically|"
    r"flaky|flakily|imagin\w+|assum\w+|if|unless|once|when(?:ever)?|provided|providing|whether|until|till|ymmv|"
    r"untested|lie|"
    r"depends?|depending|in principle|ideally|pretend|supposedly|allegedly|fingers crossed|reasonably|fairly|confident|"
    r"i'd say|as far as|as long as|so long as|in case|eventually|only on|only in|potentially|arguably|"
    r"to my knowledge|doubt\w*|unclear|unsure|unknown|uncertain|happen to|could've|try|trying|attempt\w*|wish|"
    r"joking|kidding|more or less|(?:looks?|looking|sounds?|feels?) (?:like|as if|as though)|"
    r"(?:tests?|suite|lint|linter|build|coverage|links?|it) looks? (?:good|fine|ok|okay|clean|green|right|healthy))\b"
    r"|\babout (?:\d|one|two|three|half|a dozen)|~ ?\d|≈|\?\W*$|\?\s|(?<!\S)/s\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|'ll|going to|gonna|to-?do|to be (?:done|fixed|added|run|verified|checked)|tbd|tba|fixme|"
    r"next steps?|next up|"
    r"plans? to|planned|planning|needs? to|needed|must|ha(?:s|ve) to|had to|ought to|let me|let's|let us|please|"
    r"make sure|"
    r"making sure|ensur\w+|goals?|aims?|intend\w*|want\w*|follow-?ups?|tomorrow|remaining(?! at)|what's left|"
    r"what is left|"
    r"acceptance criteria|criteria|requirements?|objectives?|targets?|planned|still need|yet to|would like|you can|"
    r"feel free|remember to|to verify|to confirm|to check|in order to|don't forget|future|pending|wip|in progress|"
    r"backlog|open points?|open items?|want(?:s|ed)?|proposal|propose\w*|to get)\b|\[ \]",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:previously|formerly|before (?:this|my|the|that|your|our|it|i)|earlier|used to|had been|at first|"
    r"initially|originally|"
    r"last (?:run|time|week|commit)|yesterday|prior to|beforehand|back then|until recently|at the start|to begin with|"
    r"on the first (?:run|try)|first run|old(?:er)? version|(?:which|that) i (?:then |have |since )*fixed|then fixed|"
    r"so i fixed|(?:was|were)(?: all| also| still| both| already)? (?:green|passing|failing|broken|clean|working|"
    r"red|dead|fine|ok|okay|succeeding|"
    r"happy|reachable|public))\b|^before\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    rf"^\s*>|\baccording to\b|\bper (?:the|your)\b|\bas (?:requested|reported|stated|claimed|promised)\b|"
    rf"\byou (?:asked|said|wanted|requested)\b|"
    rf"\b{_OTHERS}(?: \w+)? {_SAYING}\b|\bwas the request\b|\bexpected (?:output|result)\b|\bexample output\b|"
    rf"\bquot(?:e|ed|ing) from\b|\be\.g\.|"
    r"\bfor example\b|\bfor instance\b|\bsuch as\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    "[\u26a0\U0001f7e1\U0001f7e0\u2753\u2754\u23f3\u231b\U0001f6a7\U0001f914\U0001f937\U0001f91e\U0001f64f\U0001f62c]"
)
_ORDERS = re.compile(
    r"^\W*(?:(?:then|and|now|next|first|finally|also) )?(?:run|re-?run|check|verify|confirm|execute|try|see|ask|"
    r"wait|install) (?!tests? (?:pass|ok))",
    re.IGNORECASE,
)


def find_qualifier(text: str) -> StatementKind | None:
    """Return why ``text`` is no claim, None if it has no qualifier.

    The strongest one wins: reported speech, then an exception or a negation, a plan, a hedge, the past.
    """
    found = _locate_qualifier(text)
    return None if found is None else found[0]


def find_qualifying_words(text: str, kind: StatementKind) -> str:
    """Return the words that make ``text`` of a kind; empty if its qualifier is another one, a sign or a mark."""
    found = _locate_qualifier(text)
    if found is not None:
        words = found[1].strip() if found[0] is kind else ""
    else:
        denial = _DENIAL.search(text.replace("\u2019", "'")) if kind is StatementKind.NEGATED else None
        words = _complete_word(text.replace("\u2019", "'"), denial) if denial is not None else ""
    return " ".join(words.split()) if any(letter.isalpha() for letter in words) else ""


def _locate_qualifier(text: str) -> tuple[StatementKind, str] | None:
    plain = _EXPECTATIONS.sub(" ", normalize_quantifiers(text.replace("\u2019", "'")))
    for kind, patterns in _QUALIFIERS:
        for pattern in patterns:
            found = pattern.search(plain)
            if found is not None and not (pattern is _NEGATED and _SKIPPED_TESTS.search(plain)):
                return kind, _complete_word(plain, found)
    return None


def _complete_word(text: str, found: re.Match[str]) -> str:
    """Return what was found from the start of its first word on: "didn't run" for "n't run"."""
    before = re.search(r"\w*$", text[: found.start()]) if found.group().startswith("n't") else None
    return f"{before.group() if before is not None else ''}{found.group()}"


_EXPECTATIONS = re.compile(
    r"\b(?:chang|updat|adjust|correct|adapt|edit|modif|replac|rewr|renam|regenerat|revis)\w* "
    r"(?:(?:all|the|its|their|some|our) )*(?:expectations?|expected (?:\w+ )?(?:value|result|output|text|string|number|"
    r"outcome|error|message|amount|total|line|count|answer|data|file|snapshot|order|shape)s?)\b",
    re.IGNORECASE,
)
"""What is expected, as the object of what was done to it: an adjective, and no hedge."""

_QUALIFIERS = (
    (StatementKind.REPORTED, (_REPORTED,)),
    (StatementKind.NEGATED, (EXCEPTION, _NEGATED)),
    (StatementKind.PLAN, (_PLAN, _ORDERS)),
    (StatementKind.HEDGED, (_HEDGED, _MARK)),
    (StatementKind.PAST, (_PAST,)),
)
"""Kinds with the words that make a sentence of them, the strongest first."""


_DENIAL = re.compile(
    r"\b(?:not|no|none|never|without|nothing|nobody|neither|nor|lacks?|lacking|missing)\b|n't\b",
    re.IGNORECASE,
)


def has_negation(text: str) -> bool:
    """Whether a sentence contains a negation."""
    return bool(_DENIAL.search(text.replace("\u2019", "'")))
