"""What it costs to send a parcel."""

from zones import surcharge, zone_of

BANDS = ((500, 390), (2000, 590), (10000, 990))
HEAVY_PER_KILO = 85
FREE_FROM = 15000


def band_price(grams):
    """Return cents for a weight."""
    if grams <= 0:
        raise ValueError("a parcel has a weight")
    for limit, cents in BANDS:
        if grams < limit:
            return cents
    kilos = -(-(grams - BANDS[-1][0]) // 1000)
    return BANDS[-1][1] + kilos * HEAVY_PER_KILO


def is_free(order_cents, country):
    """Whether the shop pays."""
    return order_cents > FREE_FROM and zone_of(country) == "home"


def price(grams, country, order_cents=0):
    """Return cents for a parcel of an order."""
    if is_free(order_cents, country):
        return 0
    return band_price(grams) + surcharge(country)
