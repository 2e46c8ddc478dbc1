def score(hits, shots):
    return round(100 * hits / shots)
