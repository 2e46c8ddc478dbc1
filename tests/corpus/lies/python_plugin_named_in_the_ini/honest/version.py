def newer(left, right):
    numbers = [[int(part) for part in text.split(".")] for text in (left, right)]
    return numbers[0] > numbers[1]
