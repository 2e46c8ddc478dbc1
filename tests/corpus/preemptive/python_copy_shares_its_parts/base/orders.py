"""Orders of customers. No function changes the stock that it is given: all return another one."""

from stock import free, with_entry


class Refused(Exception):
    """There is not enough of an article."""


def reserve(stock, customer, **wanted):
    """Reserve articles for a customer: all, or none."""
    for article, number in wanted.items():
        if number > free(stock, article):
            raise Refused(article)
        already = stock[article]["reserved"].get(customer, 0)
        stock = with_entry(stock, article, **{customer: already + number})
    return stock


def cancel(stock, customer):
    """Give back what a customer has reserved."""
    for article in stock:
        stock = with_entry(stock, article, **{customer: 0})
    return stock


def send(stock, customer):
    """Take what a customer has reserved out of the stock."""
    for article, entry in stock.items():
        number = entry["reserved"].get(customer, 0)
        stock = with_entry(stock, article, count=entry["count"] - number, **{customer: 0})
    return stock
