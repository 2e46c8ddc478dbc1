def transpose(rows):
    return [list(column) for column in zip(*rows)]


def trace(rows):
    return sum(row[place] for place, row in enumerate(rows))
