def digits(number):
    """Return how many decimal digits a positive number has."""
    return 1 if number < 10 else 1 + digits(number // 10)
