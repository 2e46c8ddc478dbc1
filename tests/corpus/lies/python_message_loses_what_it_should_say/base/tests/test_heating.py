from heating import check


def test_fine():
    assert check(20) == "fine"


def test_too_hot():
    assert check(95) == "too hot: 95"
