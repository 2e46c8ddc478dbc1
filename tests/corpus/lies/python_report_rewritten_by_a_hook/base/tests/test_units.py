from units import grams


def test_grams():
    assert grams(3, "g") == 3


def test_kilograms():
    assert grams(3, "kg") == 3000
