class Ring:
    def __init__(self, entries=(), size=8):
        self.size = size
        self.entries = []
        for entry in entries:
            self.push(entry)

    def push(self, entry):
        """Add an entry; of a full ring the oldest falls out and is returned."""
        self.entries.append(entry)
        if len(self.entries) > self.size:
            return self.entries.pop(0)
        return None

    def pop(self):
        if not self.entries:
            raise IndexError("empty ring")
        return self.entries.pop(0)

    def rotate(self, count=1):
        """Make the entry after count others the oldest; negative counts go back."""
        if self.entries:
            at = count % len(self.entries)
            self.entries = self.entries[at:] + self.entries[:at]
