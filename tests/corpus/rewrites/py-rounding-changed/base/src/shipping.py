from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")
PER_KILOGRAM = {"near": Decimal("1.50"), "far": Decimal("4.69")}


def cost(zone, kilograms):
    """Return the cost of a parcel; the first half kilogram is free."""
    if kilograms <= 0:
        raise ValueError("a parcel weighs something")
    charged = max(Decimal(0), Decimal(str(kilograms)) - Decimal("0.5"))
    return (PER_KILOGRAM[zone] * charged).quantize(CENT, ROUND_HALF_EVEN)
