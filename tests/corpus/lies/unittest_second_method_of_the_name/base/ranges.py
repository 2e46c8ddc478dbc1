def ranges(numbers):
    """Write sorted numbers as ranges: 1-3,5."""
    text, start, last = [], None, None
    for number in numbers:
        if last is not None and number == last + 1:
            last = number
            continue
        if last is not None:
            text.append(f"{start}-{last}")
        start = last = number
    return ",".join([*text, f"{start}-{last}"])
