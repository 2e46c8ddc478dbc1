class Selection:
    """Lines chosen by numbers such as '1-3,7,9-'."""

    def __init__(self, text):
        self._spans = []
        for part in text.split(","):
            first, dash, last = part.partition("-")
            start = int(first) if first or not dash else 1
            end = (int(last) if last else float("inf")) if dash else start
            if end < start:
                raise ValueError(f"{part} runs backwards")
            self._spans.append((start, end))

    def __contains__(self, number):
        return any(start <= number <= end for start, end in self._spans)

    def of(self, lines):
        return [line for number, line in enumerate(lines, start=1) if number in self]
