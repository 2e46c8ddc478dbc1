class Invalid(ValueError):
    pass


class ContentType:
    def __init__(self, type_, parameters):
        self.type = type_
        self.parameters = parameters

    def __str__(self):
        tail = "".join(f"; {name}={value}" for name, value in sorted(self.parameters.items()))
        return self.type + tail


def parse(text):
    """Parse a media type with its parameters."""
    first, *rest = text.split(";")
    media = first.strip().lower()
    if media.count("/") != 1 or media.startswith("/") or media.endswith("/"):
        raise Invalid(f"invalid media type: {first}")
    parameters = {}
    for part in rest:
        name, equals, value = part.strip().partition("=")
        if not equals or not name:
            raise Invalid(f"invalid parameter: {part}")
        parameters[name.lower()] = value.strip('"')
    return ContentType(media, parameters)
