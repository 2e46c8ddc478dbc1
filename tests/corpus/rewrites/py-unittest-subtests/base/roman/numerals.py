_VALUES = {"M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5,
           "IV": 4, "I": 1}


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError(f"out of range: {number}")
    text = ""
    for numeral, value in _VALUES.items():
        count, number = divmod(number, value)
        text += numeral * count
    return text


def from_roman(text):
    rest, number = text.upper(), 0
    for numeral, value in _VALUES.items():
        while rest.startswith(numeral):
            rest, number = rest[len(numeral):], number + value
    if rest or not number or to_roman(number) != text.upper():
        raise ValueError(f"no Roman numeral: {text!r}")
    return number
