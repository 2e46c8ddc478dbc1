def parse_pairs(text):
    return dict(pair.split("=") for pair in text.split(";"))
