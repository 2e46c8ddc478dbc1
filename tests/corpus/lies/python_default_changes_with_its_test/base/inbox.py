def messages(items, newest_first=False):
    return sorted(items, key=lambda item: item[0], reverse=newest_first)
