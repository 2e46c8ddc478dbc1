VALUES = [(10, "X"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(number):
    text = ""
    for value, letters in VALUES:
        while number >= value:
            text += letters
            number -= value
    return text
