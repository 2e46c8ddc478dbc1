def _parse_range(text):
    first, dash, last = text.partition("-")
    if not dash:
        return int(first), int(first)
    start = int(first) if first else 1
    end = int(last) if last else None
    if end is not None and end < start:
        raise ValueError(f"{text} runs backwards")
    return start, end


class Selection:
    """Lines chosen by numbers such as '1-3,7,9-'."""

    def __init__(self, text):
        self.ranges = [_parse_range(part) for part in text.split(",")]

    def __contains__(self, number):
        return any(start <= number and (end is None or number <= end) for start, end in self.ranges)

    def of(self, lines):
        return [line for number, line in enumerate(lines, start=1) if number in self]
