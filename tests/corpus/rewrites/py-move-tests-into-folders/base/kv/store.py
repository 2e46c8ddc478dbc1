import json
from pathlib import Path


class Store:
    """A dictionary that is kept in a JSON file."""

    def __init__(self, path):
        self.path = Path(path)
        self.values = json.loads(self.path.read_text()) if self.path.exists() else {}

    def set(self, key, value):
        if not key:
            raise KeyError("empty key")
        self.values[key] = value

    def get(self, key, default=None):
        return self.values.get(key, default)

    def save(self):
        self.path.write_text(json.dumps(self.values, sort_keys=True))
