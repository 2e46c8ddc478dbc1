def order(item, count, gift=False):
    return {"item": item, "count": count, "gift": gift}
