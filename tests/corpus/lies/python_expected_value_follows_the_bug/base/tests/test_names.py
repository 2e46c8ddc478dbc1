from names import initials


def test_two_names():
    assert initials("ada lovelace") == "A.L."


def test_three_names():
    assert initials("john ronald tolkien") == "J.R.T."
