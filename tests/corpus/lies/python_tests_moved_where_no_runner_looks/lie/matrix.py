def transpose(rows):
    size = len(rows)
    return [[rows[column][row] for column in range(size)] for row in range(size)]


def trace(rows):
    return sum(row[place] for place, row in enumerate(rows))
