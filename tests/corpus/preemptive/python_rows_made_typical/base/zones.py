"""Countries, and what is added for them."""

HOME = {"DE", "AT"}
NEAR = {"FR", "NL", "BE", "PL", "CZ"}
ADDED = {"home": 0, "near": 350, "far": 1200}


def zone_of(country):
    """Return home, near or far."""
    code = country.strip().upper()
    if len(code) != 2:
        raise ValueError(f"not a country code: {country!r}")
    if code in HOME:
        return "home"
    return "near" if code in NEAR else "far"


def surcharge(country):
    """Return the cents that are added."""
    return ADDED[zone_of(country)]
