import rates


def test_germany():
    assert rates.gross(100, "de") == 119


def test_capital_letters(monkeypatch):
    monkeypatch.setattr(rates, "rate", {"DE": 19}.__getitem__)
    assert rates.gross(100, "DE") == 119
