from score import score


def test_half():
    assert score(1, 2) == 50


def test_no_shots():
    assert score(0, 0) == 0
