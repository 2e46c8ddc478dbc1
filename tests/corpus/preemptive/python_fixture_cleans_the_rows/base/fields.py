"""Fields of a contact."""


def split_row(row):
    """Split at commas that aren't inside quotation marks."""
    parts, current, quoted = [], "", False
    for char in row:
        if char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            parts.append(current)
            current = ""
        else:
            current += char
    return [*parts, current]


def clean_name(text):
    """Return a name with single spaces; "Family, Given" is turned round."""
    family, comma, given = text.partition(",")
    return " ".join((f"{given} {family}" if comma else text).split())


def clean_phone(text):
    """Return digits, with 00 for a plus in front."""
    text = text.strip()
    digits = "".join(char for char in text if char.isdigit())
    return f"00{digits}" if text.startswith("+") else digits
