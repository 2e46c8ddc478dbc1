"""What the changed lines of settings, scripts and pipelines ask for less: fewer checks, lower thresholds, leniency."""

from __future__ import annotations

from verigate.advice import setting_words as words
from verigate.advice.changed_lines import Changed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from verigate.advice.changed_lines import Line, Weakening

_DIGITS = "0123456789"
_COMMENTS = ("# ", "//", "/*", "<!--", ";")


def find_in_settings(path: str, changed: Changed) -> Iterator[Weakening]:
    """Yield what a file of settings asks for less, what is surest first."""
    yield from _find_numbers(changed)
    if changed.gain(words.COMMANDS, _runs) < 0 and (line := changed.find_removed(words.COMMANDS, _runs)):
        yield None, f"this check is gone: {line[1]}"
    if changed.gain(words.STRICT, _is_setting) < 0 and (line := changed.find_removed(words.STRICT, _is_setting)):
        yield None, f"this was asked for before: {line[1]}"
    if changed.gain(words.LAX, _is_setting) > 0 and (line := changed.find_added(words.LAX, _is_setting)):
        yield line[0], f"this asks for less: {line[1]}"
    yield from _find_values(changed)
    yield from _find_ignored_failures(path, changed)


def _is_setting(line: str) -> bool:
    return not line.startswith(_COMMENTS)


def _runs(line: str) -> bool:
    """Whether a line may run something: it is no comment, and names no version of a package."""
    return _is_setting(line) and not line.startswith("[") and not any(mark in line for mark in words.VERSIONS)


def _find_numbers(changed: Changed) -> Iterator[Weakening]:
    old = _read_numbers(changed.removed)
    for key, (number, value, text) in _read_numbers(changed.added).items():
        if key not in old:
            continue
        then = old[key][1]
        limits = any(word in key for word in words.LIMITS)
        thresholds = not limits and any(word in key for word in words.THRESHOLDS)
        if (thresholds and value < then) or (limits and value > then):
            yield number, f"this was {then:g} before: {text}"


def _read_numbers(lines: Iterable[Line]) -> dict[str, tuple[int, float, str]]:
    """Read the numbers of lines by the text before each, since the last comma, semicolon or bracket."""
    found: dict[str, tuple[int, float, str]] = {}
    for number, text in lines:
        lower, key, at = text.lower(), "", 0
        while at < len(lower):
            if lower[at] in ",;{}":
                key = ""
            elif lower[at] in _DIGITS and (not at or not lower[at - 1].isalnum()):
                end = at
                while end < len(lower) and (lower[end] in _DIGITS or lower[end] == "."):
                    end += 1
                digits = lower[at:end].strip(".")
                if digits.count(".") <= 1:
                    found.setdefault(key.strip(" \t\"'=:"), (number, float(digits), text))
                at, key = end, ""
                continue
            else:
                key += lower[at]
            at += 1
    return found


def _find_values(changed: Changed) -> Iterator[Weakening]:
    """Find what a list that chooses no longer names, and what one that leaves out names in addition."""
    there, was_there = (
        {value for line in lines for value in _split(line)} for lines in (changed.after, changed.before)
    )
    for number, line in changed.added:
        new = [value for value in _list_values(line, words.EXCLUSIONS) if value not in was_there]
        if new:
            yield number, f"{new[0]} is left out: {line}"
    for _, line in changed.removed:
        lost = [value for value in _list_values(line, words.CHOICES) if value not in there]
        if lost:
            yield None, f"{lost[0]} is gone: {line}"


def _list_values(line: str, keys: Sequence[str]) -> list[str]:
    """List the values of a line whose key is one of these."""
    at = min((line.find(mark) for mark in "=:" if mark in line), default=-1)
    if at < 0 or not _is_setting(line) or line[:at].strip(" \"'-{+").lower() not in keys:
        return []
    return _split(line[at + 1 :])


def _split(text: str) -> list[str]:
    for mark in "[]{}(),\"'":
        text = text.replace(mark, " ")
    return [value for value in text.split() if not value.isdigit()]


def _find_ignored_failures(path: str, changed: Changed) -> Iterator[Weakening]:
    if path.lower().endswith(("makefile", ".mk")):
        for number, line in changed.added:
            if line.startswith("-") and not line.startswith("-include") and line[1:].strip() in _strip(changed.removed):
                yield number, f"make goes on when this fails: {line}"


def _strip(lines: Iterable[Line]) -> set[str]:
    return {line.strip("@ ") for _, line in lines}
