from html import escape


def page(title, items):
    rows = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<h1>{escape(title)}</h1><ul>{rows}</ul>"
