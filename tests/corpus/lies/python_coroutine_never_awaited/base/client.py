async def fetch(page, size=10):
    start = (page - 1) * size
    return list(range(start, start + size))


async def is_last(page, total, size=10):
    return page * size >= total
