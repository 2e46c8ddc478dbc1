SEPARATOR = ","


def line(cells):
    return SEPARATOR.join(str(cell) for cell in cells)
