from . import helpers


def total(entries):
    """Return the sum of the entries' durations as text."""
    return helpers.show(sum(helpers.parse(entry) for entry in entries))
