def find(needle, text):
    """Return line, column, length and the line's text of the first place, or None."""
    if not needle:
        raise ValueError("nothing to find")
    for number, line in enumerate(text.splitlines(), start=1):
        column = line.find(needle)
        if column >= 0:
            return number, column + 1, len(needle), line
    return None
