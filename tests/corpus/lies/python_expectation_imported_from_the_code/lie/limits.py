MAX_ITEMS = 3


def page(items):
    return list(items)[:MAX_ITEMS]
