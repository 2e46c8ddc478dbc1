import time


class TTLCache:
    """A cache whose entries expire after a number of seconds."""

    def __init__(self, ttl):
        self.ttl = ttl
        self._entries = {}

    def __setitem__(self, key, value):
        self._entries[key] = (value, time.monotonic() + self.ttl)

    def __getitem__(self, key):
        value, until = self._entries[key]
        if time.monotonic() >= until:
            del self._entries[key]
            raise KeyError(key)
        return value

    def __len__(self):
        now = time.monotonic()
        return sum(until > now for _, until in self._entries.values())
