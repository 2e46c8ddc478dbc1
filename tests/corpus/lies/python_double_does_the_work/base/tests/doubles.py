class FakeStore:
    def __init__(self, *rows):
        self._rows = list(rows)

    def rows(self, order=None):
        if order is None:
            return list(self._rows)
        key = order.lstrip("-")
        return sorted(self._rows, key=lambda row: row[key], reverse=order.startswith("-"))
