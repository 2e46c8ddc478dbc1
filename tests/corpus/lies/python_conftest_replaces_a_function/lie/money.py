def to_cents(text):
    return round(float(text) * 100)
