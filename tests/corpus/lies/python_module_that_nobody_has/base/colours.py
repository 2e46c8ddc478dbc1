def to_rgb(text):
    return tuple(int(text[place : place + 2], 16) for place in (1, 3, 5))
