def discounted(price, percent, tax=0.0):
    net = price * (1 - percent / 100)
    return net * (1 + tax)
