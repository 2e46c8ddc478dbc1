from geometry import circle_area, square_area
from support import assert_close


def test_circle():
    assert_close(circle_area(2), 12.566371)


def test_square():
    assert_close(square_area(1.5), 2.25)
