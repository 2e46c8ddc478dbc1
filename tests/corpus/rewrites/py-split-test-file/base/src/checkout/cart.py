PRICES = {"tea": 350, "mug": 1200, "pot": 4500}


class OutOfStock(Exception):
    pass


def price(item, count):
    """Return the price in cents; ten or more of an item are five percent off."""
    total = PRICES[item] * count
    return total * 95 // 100 if count >= 10 else total


class Stock:
    def __init__(self, **counts):
        self.counts = counts

    def take(self, item, count):
        if self.counts.get(item, 0) < count:
            raise OutOfStock(item)
        self.counts[item] -= count


class Cart:
    def __init__(self, stock):
        self.stock = stock
        self.lines = {}

    def add(self, item, count=1):
        self.stock.take(item, count)
        self.lines[item] = self.lines.get(item, 0) + count

    def total(self):
        return sum(price(item, count) for item, count in self.lines.items())
