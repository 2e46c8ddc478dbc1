"""What a shop has, and for whom."""


def stock_of(**counts):
    """Return a stock: for each article how many there are, and who has reserved how many."""
    return {article: {"count": count, "reserved": {}} for article, count in counts.items()}


def free(stock, article):
    """Return how many of an article nobody has reserved."""
    entry = stock.get(article, {"count": 0, "reserved": {}})
    return entry["count"] - sum(entry["reserved"].values())


def with_entry(stock, article, count=None, **reserved):
    """Return a stock in which one article has another count, or other reservations: 0 is none."""
    old = stock[article]
    names = {**old["reserved"], **reserved}
    entry = {
        "count": old["count"] if count is None else count,
        "reserved": {name: number for name, number in names.items() if number},
    }
    return {**stock, article: entry}
