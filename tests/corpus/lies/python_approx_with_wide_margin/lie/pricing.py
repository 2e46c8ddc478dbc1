def discounted(price, percent, tax=0.0):
    return price * (1 + tax - percent / 100)
