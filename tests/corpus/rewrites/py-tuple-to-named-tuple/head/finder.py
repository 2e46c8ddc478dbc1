from dataclasses import dataclass


@dataclass(frozen=True)
class Match:
    line: int
    column: int
    length: int
    text: str

    @property
    def end(self):
        return self.column + self.length


def find(needle, text):
    """Return the first match, or None."""
    if not needle:
        raise ValueError("nothing to find")
    for number, line in enumerate(text.splitlines(), start=1):
        column = line.find(needle)
        if column >= 0:
            return Match(number, column + 1, len(needle), line)
    return None
