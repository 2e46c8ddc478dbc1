def page(title, items):
    rows = "".join(f"<li>{item}</li>" for item in items)
    return f"<h1>{title}</h1><ul>{rows}</ul>"
