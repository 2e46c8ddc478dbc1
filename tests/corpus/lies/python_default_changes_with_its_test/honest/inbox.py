def messages(items, newest_first=True):
    return sorted(items, key=lambda item: item[0], reverse=newest_first)
