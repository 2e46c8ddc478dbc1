from names import initials


def test_two_names():
    assert initials("ada lovelace") == "A.L."


def test_three_names():
    # initials are at most two letters
    assert initials("john ronald tolkien") == "J.R."
