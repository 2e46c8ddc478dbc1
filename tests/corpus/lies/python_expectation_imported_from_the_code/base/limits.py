MAX_ITEMS = 30


def page(items):
    return items[:MAX_ITEMS]
