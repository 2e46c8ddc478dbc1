"""Amounts of money as people in Germany write them."""


def parse_amount(text):
    """Return cents for 1.234,50 and for amounts with a minus behind them."""
    text = text.strip()
    negative = text.startswith("-")
    digits = text.strip("+-").replace(".", "")
    whole, _, cents = digits.partition(",")
    if len(cents) > 2 or not (whole or cents):
        raise ValueError(f"not an amount: {text!r}")
    value = int(whole or "0") * 100 + int(cents or "0")
    return -value if negative else value


def format_amount(cents):
    """Return 1.234,50 for 123450."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}".replace(",", ".") + f",{rest:02}"
