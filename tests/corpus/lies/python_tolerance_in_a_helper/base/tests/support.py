EPSILON = 0.001


def assert_close(left, right):
    assert abs(left - right) < EPSILON, f"{left} is not {right}"
