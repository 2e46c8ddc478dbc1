"""Sums of a cart, in cents."""


def total(prices, shipping=0):
    """Add up all prices and the shipping."""
    result = shipping
    for price in prices:
        result += price
    return result
