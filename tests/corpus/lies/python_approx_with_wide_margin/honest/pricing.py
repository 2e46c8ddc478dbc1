def discounted(price, percent, tax=0.0):
    return price * (1 + tax) * (1 - percent / 100)
