"""Wrap text at a column."""


def wrap(text, width):
    """Return the lines of a text, none longer than width if its words allow it.

    >>> wrap("the quick brown fox", 10)
    ['the quick', 'brown fox']

    A word that is longer stands alone:

    >>> wrap("a incomprehensible b", 5)
    ['a', 'incomprehensible', 'b']

    >>> wrap("", 5)
    []
    >>> wrap("  a   b  ", 5)
    ['a b']
    >>> wrap("a", 0)
    Traceback (most recent call last):
    ...
    ValueError: width must be positive
    """
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
