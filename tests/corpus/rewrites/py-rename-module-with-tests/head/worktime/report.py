from . import durations


def total(entries):
    """Return the sum of the entries' durations as text."""
    return durations.show(sum(durations.parse(entry) for entry in entries))
