import time


class TTLCache:
    """A cache whose entries expire after a number of seconds of its clock."""

    def __init__(self, ttl, clock=time.monotonic):
        self.ttl = ttl
        self._clock = clock
        self._entries = {}

    def __setitem__(self, key, value):
        self._entries[key] = (value, self._clock() + self.ttl)

    def __getitem__(self, key):
        value, until = self._entries[key]
        if self._clock() >= until:
            del self._entries[key]
            raise KeyError(key)
        return value

    def __len__(self):
        now = self._clock()
        return sum(until > now for _, until in self._entries.values())
