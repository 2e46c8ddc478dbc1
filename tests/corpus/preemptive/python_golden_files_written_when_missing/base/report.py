"""A report of sales as text."""

from figures import growth, share, thousands


def heading(title, width):
    """Return a title with a line below it."""
    return [title.upper(), "=" * max(width, len(title))]


def row(name, current, before, total):
    """Return a line of the table."""
    change = growth(current, before)
    sign = "new" if change is None else f"{change:+.1f}%"
    return f"{name:<12}{thousands(current):>10}{sign:>9}{share(current, total):>6}%"


def render(title, sales):
    """Render sales by name: pairs of this year and last year, the greatest first."""
    total = sum(current for current, _ in sales.values())
    lines = heading(title, 37)
    for name, (current, before) in sorted(sales.items(), key=lambda item: (-item[1][0], item[0])):
        lines.append(row(name, current, before, total))
    lines.append(f"{'total':<12}{thousands(total):>10}")
    return "\n".join(lines) + "\n"
