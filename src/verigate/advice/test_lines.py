"""What the changed lines of a file of tests ask for less: skips, fewer tests and assertions, weaker ones."""

from __future__ import annotations

from verigate.advice import test_words as words
from verigate.advice.changed_lines import Changed, choose, count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from verigate.advice.changed_lines import Weakening

_COMMENTS = ("//", "/*", "* ", "# ", "--", "<!--")
_NO_CHECKS = ("import ", "from ", "use ", "using ", "require(", "def ", "async def ", "func ", "fn ", "function ")
_ROW_STARTS, _ROW_ENDS = ("(", "[", "{", '"', "'"), (",", ")", "]", "}")


def find_in_tests(path: str, changed: Changed) -> Iterator[Weakening]:
    """Yield what a file of tests asks for less, what is surest first."""
    skips = choose(words.SKIPS, path)
    if changed.gain(skips) > 0 and (line := changed.find_added(skips)):
        yield line[0], f"a test is skipped: {line[1]}"
    tests = choose(words.TESTS, path)
    tables, more_tests = changed.gain(words.TABLES), changed.gain(tests, _is_code)
    if more_tests < 0 and tables <= 0 and (line := changed.find_removed(tests, _is_code)):
        yield None, f"{_count(-more_tests, 'test')} fewer: {line[1]}"
    asserted = changed.gain(words.ASSERTIONS, asserts)
    if asserted < 0 and tables <= 0 and more_tests <= 0 and (line := changed.find_removed(words.ASSERTIONS, asserts)):
        yield None, f"{_count(-asserted, 'assertion')} fewer: {line[1]}"
    yield from _find_weaker_assertions(changed)
    yield from _find_unreached(changed, asserted)
    if changed.gain(words.TAMPERS, _is_on) > 0 and (line := changed.find_added(words.TAMPERS, _is_on)):
        yield line[0], f"this can change what tests report: {line[1]}"
    if tests and asserted == more_tests == 0 and tables <= 0:
        yield from _find_lost_rows(changed)


def asserts(line: str) -> bool:
    """Whether a line may assert something: it is no comment, no import and no head of a function."""
    return _is_code(line) and not line.startswith(_NO_CHECKS)


def _is_code(line: str) -> bool:
    return not line.startswith(_COMMENTS)


def _is_on(line: str) -> bool:
    """Whether a line is no comment, and nothing that is set to 0."""
    return _is_code(line) and not any(each in line for each in (": 0", "(0)", "=0", "= 0"))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _is_assertion(line: str) -> bool:
    return asserts(line) and count_words(line, words.ASSERTIONS) > 0


def _find_weaker_assertions(changed: Changed) -> Iterator[Weakening]:
    hollow = changed.find_added(words.HOLLOW, asserts)
    if hollow and changed.gain(words.HOLLOW, asserts) > 0:
        yield hollow[0], f"this can't fail: {hollow[1]}"
    for number, line in changed.added:
        if line.startswith("assert (") and _is_tuple(line[7:]):
            yield number, f"a tuple can't fail: {line}"
    wide = changed.find_added(words.WIDE)
    if wide and changed.gain(words.WIDE) > 0 and changed.gain(words.RAISES) <= 0 and changed.find_removed(words.RAISES):
        yield wide[0], f"any error is expected now: {wide[1]}"
    loose = changed.find_added(words.LOOSE, _is_assertion)
    if loose and changed.gain(words.EXACT, _is_assertion) < 0 < changed.gain(words.LOOSE, _is_assertion):
        yield loose[0], f"more values meet this assertion: {loose[1]}"
    elif bare := next((each for each in changed.added if _lost_its_value(each[1], changed)), None):
        yield bare[0], f"this was compared with a value before: {bare[1]}"


def _lost_its_value(line: str, changed: Changed) -> bool:
    """Whether an assertion is the beginning of one that is gone, which compared it with a value."""
    start = line.rstrip(";")
    return _is_assertion(line) and any(
        old.startswith(start) and count_words(old[len(start) :], words.EXACT) > 0 for _, old in changed.removed
    )


def _is_tuple(text: str) -> bool:
    """Whether a text is one pair of parentheses, with a comma that is in no other brackets."""
    depth, several, quote = 0, False, ""
    for at, character in enumerate(text):
        if quote or character in "\"'":
            quote = "" if character == quote else quote or character
            continue
        depth += (character in "([{") - (character in ")]}")
        several = several or (character == "," and depth == 1)
        if depth == 0:
            return several and not text[at + 1 :].strip()
    return False


def _find_unreached(changed: Changed, asserted: int) -> Iterator[Weakening]:
    """Find what may not be reached, or whose failure gets nowhere."""
    rethrown = changed.gain(words.THROWS)
    swallow = changed.find_added(words.SWALLOWS)
    if swallow and changed.gain(words.SWALLOWS) > 0 and rethrown <= 0:
        yield swallow[0], f"a failure may not get past this: {swallow[1]}"
    ends = [each for each in changed.added if each[1].rstrip(";") in words.RETURNS]
    gone = sum(line.rstrip(";") in words.RETURNS for _, line in changed.removed)
    if len(ends) > gone and rethrown <= 0:
        yield ends[0][0], f"what follows may not run: {ends[0][1]}"
    if asserted <= 0 and (line := _find_deeper(changed)):
        yield line[0], f"this may not run any more: {line[1]}"


def _find_deeper(changed: Changed) -> tuple[int, str] | None:
    """Find an assertion that is indented more than before, by the same text."""
    depths: dict[str, int] = {}
    for line in changed.before:
        text = line.strip()
        depths[text] = max(depths.get(text, 0), len(line) - len(line.lstrip()))
    openers = [number for number, line in changed.added if line.startswith(words.OPENERS)]
    for number, line in enumerate(changed.after, 1):
        text = line.strip()
        if text in depths and len(line) - len(line.lstrip()) > depths[text] and _is_assertion(text):
            above = max((each for each in openers if each < number), default=0)
            if above and number - above <= words.NEAR:
                return number, text
    return None


def _find_lost_rows(changed: Changed) -> Iterator[Weakening]:
    now, then = ([each for each in lines if _is_row(each[1])] for lines in (changed.added, changed.removed))
    if len(then) > len(now) and len(then) == len(changed.removed):
        yield None, f"{_count(len(then) - len(now), 'case')} fewer: {then[0][1]}"


def _is_row(line: str) -> bool:
    return line.startswith(_ROW_STARTS) and line.endswith(_ROW_ENDS)
