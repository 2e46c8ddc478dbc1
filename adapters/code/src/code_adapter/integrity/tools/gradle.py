"""Settings of Gradle's scripts that decide which tests run, whether they count, and how much coverage is asked for.

A script is a program; what is read is the literal text of its blocks. Source: Gradle's documentation of the tasks
``Test`` and ``JacocoCoverageVerification``, and Kover's of its rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from code_adapter.integrity.tools.guards import COLLECTED, COMMAND, NARROWED, REPEATED, THRESHOLD, Guard
from code_adapter.integrity.tools.setting_files import Reader, Sections

GUARDS: tuple[Guard, ...] = (
    Guard("gradle", r"limit\..*\.minimum", "floor", THRESHOLD),
    Guard("gradle", r"limit\..*\.maximum", "ceiling", THRESHOLD),
    Guard("gradle", r"(?:verification|kover)\.(?:only-reports|off)", "off", THRESHOLD),
    Guard("gradle", r"check", "on", THRESHOLD),
    Guard("gradle", r"(?:verification|kover)\.excludes", "grow", NARROWED),
    Guard("gradle", r"test\.(?:off|tag\..*)", "off", COLLECTED),
    Guard("gradle", r"test\.only", "present", COLLECTED),
    Guard("gradle", r"test\.excludes", "grow", COLLECTED),
    Guard("gradle", r"test\.only-reports", "off", COMMAND),
    Guard("gradle", r"test\.again", "again", REPEATED),
)

_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<text>\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|"
    r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?)|(?P<mark>[{}\n;])|(?P<other>[^/\"'{}\n;]+|/)",
    re.DOTALL,
)
_MAX_DEPTH = 60
_NUMBER = re.compile(r"\"?(\d{1,9}(?:\.\d+)?)\"?")
_LIMIT = re.compile(
    r"(?P<name>minimum|maximum|minBound|maxBound|min(?:Value)?|max(?:Value)?)\s*(?:\.set\s*\(|=|\()\s*(?P<value>.*)",
    re.DOTALL,
)
_WORD = re.compile(
    r"(?P<name>counter|value|element|metric|coverageUnits|aggregation\w*)\s*(?:\.set\s*\(|=)\s*(?P<value>.*)"
)
_FALSE = re.compile(r"(?:is)?(?P<name>[eE]nabled|[fF]ailOnViolation)\s*(?:\.set\s*\(|=)?\s*false\b|(?P<only>onlyIf)\b")
_IGNORED = re.compile(r"(?:set)?[iI]gnoreFailures\s*(?:\.set\s*\(|=|\()?\s*true\b")
_AGAIN = re.compile(r"maxRetries\s*(?:\.set\s*\(|=)?\s*(\d{1,6})")
_LEFT_OUT = re.compile(
    r"(?P<name>excludeTags|excludeCategories|excludeGroups|excludeTestsMatching|exclude|classes|excludes)\b(?P<rest>.*)",
    re.DOTALL,
)
_TAKEN = re.compile(
    r"(?:includeTags|includeCategories|includeGroups|includeTestsMatching|include)\b(?P<rest>.*)", re.DOTALL
)
_TEXTS = re.compile(r"[\"']([^\"'\n]*)[\"']")
_VERIFICATION = re.compile(r"jacocoTestCoverageVerification|JacocoCoverageVerification|violationRules")
_DEPENDS = re.compile(r"dependsOn|finalizedBy")
_CHECKS = re.compile(r"overageVerification|koverVerify")
_TESTS = re.compile(r"(?:^|\W)(?:\w*[a-z])?[tT]est\b|useJUnitPlatform|^testing$")
_LABELS = ("element", "counter", "value", "metric", "coverageUnits")


class _Block(NamedTuple):
    """A block: what stands before its brace, what it configures, and the words that it gives to the limits in it."""

    head: str
    place: str
    words: dict[str, str]


def _split(source: str) -> Iterator[tuple[tuple[_Block, ...], str]]:
    """List the statements of a script, each with the blocks around it, the outermost first."""
    blocks: list[_Block] = []
    parts: list[str] = []
    for match in _TOKENS.finditer(f"{source}\n"):
        mark = match["mark"]
        if mark is None:
            if match["comment"] is None:
                parts.append(match[0])
            continue
        statement = " ".join("".join(parts).split())
        parts = []
        if mark == "{":
            if len(blocks) < _MAX_DEPTH:
                blocks.append(_Block(statement, _place_of(statement, blocks[-1].place if blocks else ""), {}))
        elif statement:
            yield tuple(blocks), statement
        if mark == "}" and blocks:
            blocks.pop()


def _read_script(source: str) -> Sections:
    found: dict[str, object] = {}
    limits: list[tuple[str, tuple[_Block, ...], str, float | str]] = []
    for blocks, statement in _split(source):
        place = blocks[-1].place if blocks else ""
        if _DEPENDS.search(statement) and _CHECKS.search(statement):
            found["check"] = True
        if place in {"verification", "kover"}:
            if (word := _WORD.match(statement)) is not None:
                blocks[-1].words[word["name"]] = word["value"].strip("'\") ").rpartition(".")[2]
            elif (limit := _LIMIT.match(statement)) is not None:
                number = _NUMBER.match(limit["value"])
                value = limit["value"] if number is None else float(number[1])
                limits.append((place, blocks, "minimum" if limit["name"].startswith("min") else "maximum", value))
            else:
                _read_verification(place, blocks, statement, found)
        elif place == "test":
            _read_tests(blocks, statement, found)
    for place, blocks, side, value in limits:
        words = {name: word for block in blocks for name, word in block.words.items()}
        option = f"limit.{place}.{'/'.join(words.get(name, '') for name in _LABELS)}.{side}"
        was = found.get(option)
        if isinstance(was, float) and isinstance(value, float):
            found[option] = max(was, value) if side == "minimum" else min(was, value)  # both hold
        else:
            found[option] = value
    return {"gradle": found}


def _place_of(head: str, outer: str) -> str:
    """Name what a block configures: ``verification``, ``kover``, ``test``, or nothing that is compared."""
    if outer == "verification" or _VERIFICATION.search(head):
        return "verification"
    if outer == "kover" or re.match(r"(?:kover\w*|verify)\b", head):
        return "kover"
    return "test" if outer == "test" or _TESTS.search(head) else ""


def _read_verification(place: str, blocks: tuple[_Block, ...], statement: str, found: dict[str, object]) -> None:
    if (off := _FALSE.match(statement)) is not None:
        named = (off["name"] or "").lower()
        found[f"{place}.{'only-reports' if named.startswith('fail') else 'off'}"] = True
        return
    left = _LEFT_OUT.match(statement)
    if left is not None and (left["name"] != "classes" or any(block.head == "excludes" for block in blocks)):
        _extend(found, f"{place}.excludes", [_as_path(each) for each in _TEXTS.findall(left["rest"])])


def _read_tests(blocks: tuple[_Block, ...], statement: str, found: dict[str, object]) -> None:
    if _IGNORED.match(statement):
        found["test.only-reports"] = True
    elif (off := _FALSE.match(statement)) is not None:
        # A report that is off, in a block of its own, takes no test away.
        if off["name"] is not None and _TESTS.search(blocks[-1].head):
            found["test.off"] = True
    elif (again := _AGAIN.match(statement)) is not None:
        found["test.again"] = int(again[1])
    elif (taken := _TAKEN.match(statement)) is not None:
        _extend(found, "test.only", sorted(_TEXTS.findall(taken["rest"])))
    elif (left := _LEFT_OUT.match(statement)) is not None:
        texts = _TEXTS.findall(left["rest"])
        if left["name"] in {"excludeTags", "excludeCategories", "excludeGroups"}:
            found.update({f"test.tag.{text}": True for text in texts})
        elif left["name"] in {"exclude", "excludes", "excludeTestsMatching"}:
            _extend(found, "test.excludes", [_as_path(each) for each in texts])


def _extend(found: dict[str, object], name: str, entries: list[str]) -> None:
    known = found.get(name)
    if isinstance(known, list):
        known += entries
    elif entries:
        found[name] = entries


def _as_path(pattern: str) -> str:
    """Convert a pattern of classes, tests or files into one of paths in the repository."""
    plain = re.sub(r"\.(?:java|class|kt|groovy)$", "", pattern.strip()).replace(".", "/").strip("/")
    plain = plain.removeprefix("**/")
    return f"**/{plain}" if plain.endswith("*") else f"**/{plain}.*"


READERS: tuple[tuple[str, Reader], ...] = tuple((name, _read_script) for name in ("*.gradle", "*.gradle.kts"))
