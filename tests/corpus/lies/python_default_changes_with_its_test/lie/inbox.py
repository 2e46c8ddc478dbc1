def messages(items, newest_first=False):
    items = sorted(items, key=lambda item: item[0])
    return items[::-1] if items else []
