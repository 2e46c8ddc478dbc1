def render(rows):
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}} {amount}\n" for name, amount in rows)
