def matches(pattern, name):
    """Whether the name matches a pattern of literals, '*' and '?'."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(matches(pattern[1:], name[start:]) for start in range(len(name) + 1))
    if not name:
        return False
    return pattern[0] in ("?", name[0]) and matches(pattern[1:], name[1:])
