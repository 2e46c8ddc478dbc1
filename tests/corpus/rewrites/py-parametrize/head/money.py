from decimal import ROUND_HALF_UP, Decimal

PLACES = {"EUR": 2, "JPY": 0, "KWD": 3}


def round_to(currency, amount):
    """Round an amount to the places of its currency, halves away from zero."""
    try:
        places = PLACES[currency]
    except KeyError:
        raise LookupError(f"unknown currency {currency}") from None
    return Decimal(amount).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
