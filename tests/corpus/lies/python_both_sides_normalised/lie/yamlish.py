def dump(tree, depth=0):
    lines = []
    for key, value in tree.items():
        if isinstance(value, dict):
            lines.append("  " * depth + f"{key}:")
            lines.append(dump(value))
        else:
            lines.append("  " * depth + f"{key}: {value}")
    return "\n".join(lines)
