UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def human_size(count):
    """Return a number of bytes in the largest unit that leaves at least 1."""
    if count < 0:
        raise ValueError("negative size")
    size = float(count)
    for unit in UNITS[:-1]:
        if size < 1024:
            break
        size /= 1024
    else:
        unit = UNITS[-1]
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
