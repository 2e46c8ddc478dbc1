"""A span of whole numbers."""


class Span:
    """The numbers from a start to those before a stop."""

    def __init__(self, start, stop):
        if stop < start:
            raise ValueError(f"ends before it begins: {start}-{stop}")
        self.start, self.stop = start, stop

    def __len__(self):
        return self.stop - self.start

    def __eq__(self, other):
        return isinstance(other, Span) and (self.start, self.stop) == (other.start, other.stop)

    def __hash__(self):
        return hash((self.start, self.stop))

    def __repr__(self):
        return f"Span({self.start}, {self.stop})"

    def intersect(self, other):
        """Return what both have, or None."""
        start, stop = max(self.start, other.start), min(self.stop, other.stop)
        return Span(start, stop) if start < stop else None
