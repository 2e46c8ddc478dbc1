import os


def load(path):
    """Return the variables of a UTF-8 file of NAME=value lines; '#' starts a comment."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            name, equals, value = line.partition("=")
            if not equals:
                raise ValueError(f"{os.path.basename(path)}:{number}: no '='")
            found[name.strip()] = value.strip().strip("'\"")
    return found
