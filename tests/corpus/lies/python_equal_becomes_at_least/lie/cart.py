"""Sums of a cart, in cents."""


def total(prices, shipping=0):
    """Add up all prices and the shipping."""
    return shipping + sum(prices[:-1])
