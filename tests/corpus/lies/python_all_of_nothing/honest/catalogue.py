ITEMS = [("pen", 2), ("book", 12), ("lamp", 30)]


def cheaper_than(limit):
    return [name for name, price in ITEMS if limit > price]
