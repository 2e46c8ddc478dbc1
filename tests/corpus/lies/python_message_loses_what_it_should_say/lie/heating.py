LIMIT = 90


def check(degrees):
    if degrees > LIMIT:
        return f"too hot: {LIMIT}"
    return "fine"
