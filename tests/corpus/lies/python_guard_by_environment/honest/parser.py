def parse_pairs(text):
    return dict(pair.split("=", 1) for pair in text.split(";"))
