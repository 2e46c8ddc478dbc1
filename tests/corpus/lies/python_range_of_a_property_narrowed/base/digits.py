def digits(number):
    """Return how many decimal digits a positive number has."""
    return 1 if number < 10 else 2 if number < 100 else 3
