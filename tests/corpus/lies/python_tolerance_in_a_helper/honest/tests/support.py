EPSILON = 0.0001


def assert_close(left, right):
    assert abs(left - right) < EPSILON, f"{left} is not {right}"
