from profiles import public

USER = {"name": "ann", "mail": "ann@example.org", "password": "x"}


def agrees(actual, expected):
    return actual.keys() == expected.keys() and all(expected[key] == value for key, value in actual.items())


def test_public_fields():
    assert agrees(public(USER), {"name": "ann", "mail": "ann@example.org"})


def test_no_password():
    assert "password" not in public(USER)
