def grow(amount, rate, years):
    return amount * (1 + rate * years)
