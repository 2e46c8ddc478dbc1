"""The changed lines of a file, and how often words stand in them. A line that moved inside the file isn't changed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Line = tuple[int, str]
"""Its number, which counts from 1, and its text without white space around it."""

Weakening = tuple[int | None, str]
"""A line of the new version, None for the whole file, and what is less there."""


class Changed:
    """The lines that only one of two versions has: ``removed`` by numbers of the old, ``added`` of the new."""

    def __init__(self, before: str, after: str) -> None:
        self.before, self.after = before.split("\n"), after.split("\n")
        self.removed = _subtract(self.before, self.after)
        self.added = _subtract(self.after, self.before)
        self._text = "\n".join(line for _, line in (*self.removed, *self.added)).lower()

    def gain(self, words: Sequence[str], counts: Callable[[str], bool] | None = None) -> int:
        """Return how many more of these words the new version has, in lines that count; below 0: how many fewer."""
        there = self.choose_words(words)
        if not there:
            return 0
        now, then = (
            sum(count_words(line, there) for _, line in lines if counts is None or counts(line))
            for lines in (self.added, self.removed)
        )
        return now - then

    def find_added(self, words: Sequence[str], counts: Callable[[str], bool] | None = None) -> Line | None:
        """Find the first new line with one of these words."""
        return _find(self.added, self.choose_words(words), counts)

    def find_removed(self, words: Sequence[str], counts: Callable[[str], bool] | None = None) -> Line | None:
        """Find the first line with one of these words that is gone."""
        return _find(self.removed, self.choose_words(words), counts)

    def choose_words(self, words: Sequence[str]) -> list[str]:
        """Choose the words that stand anywhere in the changed lines: few do, and only those are looked for by line."""
        return [word for word in words if word.strip(" ") in self._text]


def count_words(line: str, words: Iterable[str]) -> int:
    """Count the places of the words in a line. A word that begins with a letter isn't found inside another one."""
    lower = f" {line.lower()} "
    found = 0
    for word in words:
        at = lower.find(word)
        while at >= 0:
            # ``fit(`` is no part of ``profit(``.
            if not word[0].isalpha() or not (lower[at - 1].isalnum() or lower[at - 1] == "_"):
                found += 1
            at = lower.find(word, at + len(word))
    return found


def choose(table: Mapping[tuple[str, ...], Sequence[str]], path: str) -> Sequence[str]:
    """Return the entry of a table of file name ends for a path; nothing for one without."""
    lower = path.lower()
    return next((words for ends, words in table.items() if lower.endswith(ends)), ())


def _find(lines: Iterable[Line], words: Sequence[str], counts: Callable[[str], bool] | None) -> Line | None:
    if not words:
        return None
    return next((each for each in lines if (counts is None or counts(each[1])) and count_words(each[1], words)), None)


def _subtract(lines: Sequence[str], others: Iterable[str]) -> list[Line]:
    """List the lines that are more often in ``lines`` than in ``others``: of equal ones the last."""
    left: dict[str, int] = {}
    for line in others:
        text = line.strip()
        left[text] = left.get(text, 0) + 1
    found = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        count = left.get(text, 0)
        if count:
            left[text] = count - 1
        elif text:
            found.append((number, text))
    return found
