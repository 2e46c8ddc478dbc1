def check(degrees):
    if degrees > 90:
        return f"too hot: {degrees}"
    return "fine"
