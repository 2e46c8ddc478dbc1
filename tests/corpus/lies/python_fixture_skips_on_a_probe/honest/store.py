import json


class Store:
    def __init__(self, path):
        self.path = path
        try:
            self.rows = json.loads(path.read_text())
        except FileNotFoundError:
            self.rows = {}

    def put(self, key, value):
        self.rows[key] = value
        self.path.write_text(json.dumps(self.rows))
