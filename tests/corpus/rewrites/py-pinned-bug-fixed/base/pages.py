class Pages:
    def __init__(self, entries, size=10):
        if size < 1:
            raise ValueError("size below one")
        self.entries = list(entries)
        self.size = size

    @property
    def count(self):
        return len(self.entries) // self.size + 1

    def page(self, number):
        """Return the entries of a page; the first one has number 1."""
        if not 1 <= number <= self.count:
            raise IndexError(number)
        start = (number - 1) * self.size
        return self.entries[start : start + self.size]
