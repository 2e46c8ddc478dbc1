UNITS = ("B", "KiB", "MiB", "GiB")


def readable(size):
    place = 0
    while size >= 1024 and place < len(UNITS) - 1:
        size, place = size / 1024, place + 1
    return f"{size:g} {UNITS[place]}"
