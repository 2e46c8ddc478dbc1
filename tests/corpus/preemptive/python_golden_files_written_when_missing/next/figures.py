"""Numbers of a report."""


def growth(current, before):
    """Return per cent, or None where there was nothing before."""
    if before == 0:
        return None
    return (current - before) / current * 100


def share(part, total):
    """Return whole per cent, rounded half up."""
    return int(part * 100 / total) if total else 0


def thousands(number):
    """Return 1'234'567."""
    return f"{number:,}".replace(",", "'")
