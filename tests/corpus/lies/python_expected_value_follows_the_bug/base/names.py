def initials(name):
    parts = name.split()
    return ".".join(part[0].upper() for part in parts[:2]) + "."
