MAX_ITEMS = 30


def page(items):
    return list(items)[:MAX_ITEMS]
