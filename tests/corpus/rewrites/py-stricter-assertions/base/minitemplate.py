import html
import re

_PLACE = re.compile(r"{{\s*(\w+)(\s*\|\s*safe)?\s*}}")


class TemplateError(LookupError):
    pass


def render(template, **values):
    """Fill in the places of a template; values are escaped unless they are marked as safe."""

    def fill(found):
        name = found[1]
        if name not in values:
            raise TemplateError(f"no value for {name}")
        text = str(values[name])
        return text if found[2] else html.escape(text)

    return _PLACE.sub(fill, template)
