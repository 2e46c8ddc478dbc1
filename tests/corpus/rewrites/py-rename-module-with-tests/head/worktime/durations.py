import re

_PART = re.compile(r"(\d+)\s*([hms])")
_SECONDS = {"h": 3600, "m": 60, "s": 1}


def parse(text):
    """Return the seconds of a duration such as '1h 30m'."""
    parts = _PART.findall(text)
    if not parts:
        raise ValueError(f"not a duration: {text!r}")
    return sum(int(number) * _SECONDS[unit] for number, unit in parts)


def show(seconds):
    """Return a duration as text, largest unit first."""
    words = []
    for unit, size in _SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            words.append(f"{count}{unit}")
    return " ".join(words) or "0s"
