from matrix import trace


def test_trace():
    assert trace([[1, 2], [3, 4]]) == 5
