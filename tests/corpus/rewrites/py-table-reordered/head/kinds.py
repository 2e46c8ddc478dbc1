_KINDS = {
    "cjs": "javascript",
    "gz": "compressed",
    "js": "javascript",
    "mjs": "javascript",
    "py": "python",
    "pyi": "python",
    "rs": "rust",
    "tar.gz": "archive",
    "tgz": "archive",
    "ts": "typescript",
}


def kind_of(name):
    """Return the kind of a file by its name, None if it is unknown."""
    parts = name.lower().split(".")[1:]
    for start in range(len(parts)):
        if kind := _KINDS.get(".".join(parts[start:])):
            return kind
    return None
