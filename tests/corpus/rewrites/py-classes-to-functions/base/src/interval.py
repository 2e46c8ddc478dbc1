class Interval:
    """A closed interval of integers."""

    def __init__(self, low, high):
        if low > high:
            raise ValueError(f"{low} > {high}")
        self.low, self.high = low, high

    def __eq__(self, other):
        return isinstance(other, Interval) and (self.low, self.high) == (other.low, other.high)

    def __hash__(self):
        return hash((self.low, self.high))

    def __contains__(self, number):
        return self.low <= number <= self.high

    def __and__(self, other):
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else None

    def __len__(self):
        return self.high - self.low + 1
