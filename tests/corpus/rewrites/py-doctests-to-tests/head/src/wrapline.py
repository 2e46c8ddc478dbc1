"""Wrap text at a column."""


def wrap(text, width):
    """Return the lines of a text, none longer than width if its words allow it.

    >>> wrap("the quick brown fox", 10)
    ['the quick', 'brown fox']
    """
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines
