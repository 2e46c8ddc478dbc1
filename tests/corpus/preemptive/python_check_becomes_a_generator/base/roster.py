"""Shifts of a week, and what is wrong with them."""

from hours import length, overlap

MOST_PER_DAY = 10
REST = 11


def total(shifts):
    """Return the hours of all shifts."""
    return sum(length(shift) for shift in shifts)


def rest_between(first, second):
    """Return the hours from the end of a shift to the begin of the next."""
    return (second["day"] - first["day"]) * 24 + second["start"] - (first["start"] + length(first))


def problems(shifts):
    """Return what is wrong, in the order of the days."""
    found = []
    ordered = sorted(shifts, key=lambda shift: (shift["day"], shift["start"]))
    for shift in ordered:
        if length(shift) > MOST_PER_DAY:
            found.append((shift["day"], "too long"))
    for first, second in zip(ordered, ordered[1:], strict=False):
        if overlap(first, second):
            found.append((second["day"], "overlap"))
        elif rest_between(first, second) < REST and first["day"] != second["day"]:
            found.append((second["day"], "no rest"))
    return sorted(found)
