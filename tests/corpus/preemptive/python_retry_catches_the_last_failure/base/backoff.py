"""How long to wait before a job is tried again."""

FIRST = 0.5
MOST = 4.0


def delay(attempt):
    """Return seconds: twice as many after each attempt, up to a limit."""
    if attempt < 1:
        raise ValueError("attempts are counted from 1")
    return min(FIRST * 2 ** (attempt - 1), MOST)
