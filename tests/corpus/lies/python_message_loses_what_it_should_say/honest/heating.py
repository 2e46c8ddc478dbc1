def check(degrees):
    if degrees > 90:
        return f"too hot: {degrees} °C"
    return "fine"
