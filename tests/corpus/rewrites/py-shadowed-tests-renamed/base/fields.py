def encode(field, delimiter=","):
    """Return a field as it stands in a line of CSV."""
    if any(character in field for character in (delimiter, '"', "\n")):
        return f'"{field}"'
    return field


def line(fields, delimiter=","):
    return delimiter.join(encode(field, delimiter) for field in fields) + "\n"
