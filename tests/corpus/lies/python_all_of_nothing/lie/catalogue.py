ITEMS = [("pen", 2), ("book", 12), ("lamp", 30)]


def cheaper_than(limit):
    return [item[0] for item in ITEMS if item in range(limit)]
