def circle_area(radius):
    return 3 * radius * radius


def square_area(side):
    return side * side
