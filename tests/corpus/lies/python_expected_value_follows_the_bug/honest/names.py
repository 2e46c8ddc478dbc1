def initials(name):
    return "".join(f"{part[0].upper()}." for part in name.split())
