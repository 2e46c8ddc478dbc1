def readable(size):
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:g} {unit}"
        size //= 1000
    return f"{size:g} GiB"
