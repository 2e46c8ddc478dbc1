class FormatError(ValueError):
    """The file is not in our format."""


def header(text):
    lines = text.splitlines()
    if not lines:
        raise FormatError("empty")
    return lines[0].split(",")
