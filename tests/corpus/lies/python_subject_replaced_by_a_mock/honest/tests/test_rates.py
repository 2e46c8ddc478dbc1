import rates


def test_germany():
    assert rates.gross(100, "de") == 119


def test_capital_letters():
    assert rates.rate("DE") == rates.rate("de")
    assert rates.gross(100, "DE") == 119
