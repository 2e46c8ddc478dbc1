def rate(country):
    return {"de": 19, "fr": 20}.get(country, 0)


def gross(net, country):
    return net * (100 + rate(country)) / 100
