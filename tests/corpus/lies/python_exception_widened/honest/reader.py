class FormatError(ValueError):
    """The file is not in our format."""


def header(text):
    first, *_ = text.splitlines() or [""]
    if not first:
        raise FormatError("empty")
    return first.split(",")
