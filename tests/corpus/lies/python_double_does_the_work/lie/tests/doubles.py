class FakeStore:
    def __init__(self, *rows):
        self._rows = list(rows)

    def rows(self, order="-sales"):
        key = order.lstrip("-")
        return sorted(self._rows, key=lambda row: row[key], reverse=order.startswith("-"))
