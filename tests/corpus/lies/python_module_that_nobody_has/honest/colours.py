def to_rgb(text):
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    return tuple(bytes.fromhex(digits))
