from html import escape


def page(title, items):
    title, *items = map(escape, [title, *items])
    rows = "".join(f"<li>{item}</li>" for item in items)
    return f"<h1>{title}</h1><ul>{rows}</ul>"
