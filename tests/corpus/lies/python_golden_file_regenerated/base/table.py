def render(rows):
    width = max(len(name) for name, _ in rows)
    lines = []
    for name, amount in rows:
        lines.append(name.ljust(width) + " " + f"{amount:8.2f}")
    return "\n".join(lines) + "\n"
