def render(rows):
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}} {amount:8.2f}\n" for name, amount in rows)
