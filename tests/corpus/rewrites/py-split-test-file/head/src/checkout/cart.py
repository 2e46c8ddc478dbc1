from .prices import price


class Cart:
    def __init__(self, stock):
        self.stock = stock
        self.lines = {}

    def add(self, item, count=1):
        self.stock.take(item, count)
        self.lines[item] = self.lines.get(item, 0) + count

    def total(self):
        return sum(price(item, count) for item, count in self.lines.items())
