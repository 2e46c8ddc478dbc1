def transpose(rows):
    return [[row[place] for row in rows] for place in range(len(rows[0]))]


def trace(rows):
    return sum(row[place] for place, row in enumerate(rows))
