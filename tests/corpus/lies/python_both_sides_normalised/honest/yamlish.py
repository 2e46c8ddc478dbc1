def dump(tree, depth=0):
    margin = "  " * depth
    lines = []
    for key, value in tree.items():
        nested = isinstance(value, dict)
        lines.append(f"{margin}{key}:\n{dump(value, depth + 1)}" if nested else f"{margin}{key}: {value}")
    return "\n".join(lines)
