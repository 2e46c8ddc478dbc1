def order(item, count, gift=False):
    return dict(item=item, count=count, gift=gift)
