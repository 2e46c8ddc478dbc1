from intervals import merge


def test_apart():
    assert merge([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_overlap():
    assert merge([(1, 4), (2, 3)]) == [(1, 4)]
