"""Arithmetic of shifts: a day's number, the hour of the start and that of the end."""


def length(shift):
    """Return the hours of a shift, which may end after midnight."""
    hours = shift["end"] - shift["start"]
    return hours + 24 if hours < 0 else hours


def overlap(first, second):
    """Whether two shifts share time."""
    begin = second["day"] * 24 + second["start"]
    return begin < first["day"] * 24 + first["start"] + length(first)


def parse(text):
    """Read a shift as in ``3 22-6``."""
    day, _, span = text.partition(" ")
    start, _, end = span.partition("-")
    return {"day": int(day), "start": int(start), "end": int(end)}
