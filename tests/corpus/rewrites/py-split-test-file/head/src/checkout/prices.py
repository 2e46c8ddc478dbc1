PRICES = {"tea": 350, "mug": 1200, "pot": 4500}


def price(item, count):
    """Return the price in cents; ten or more of an item are five percent off."""
    total = PRICES[item] * count
    return total * 95 // 100 if count >= 10 else total
