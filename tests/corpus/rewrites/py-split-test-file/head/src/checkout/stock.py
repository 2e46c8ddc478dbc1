class OutOfStock(Exception):
    pass


class Stock:
    def __init__(self, **counts):
        self.counts = counts

    def take(self, item, count):
        if self.counts.get(item, 0) < count:
            raise OutOfStock(item)
        self.counts[item] -= count
