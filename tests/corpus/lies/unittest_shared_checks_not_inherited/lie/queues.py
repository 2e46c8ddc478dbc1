class Fifo:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def get(self):
        return self.items.pop(0)


class Bounded(Fifo):
    def put(self, item):
        self.items = [item, *self.items][:3]
