import json


class Store:
    def __init__(self, path):
        self.path = path
        self.rows = json.loads(path.read_text()) if path.exists() else {}

    def put(self, key, value):
        self.rows[key] = value
        self.path.write_text(json.dumps(self.rows))
