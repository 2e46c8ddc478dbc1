from profiles import public

USER = {"name": "ann", "mail": "ann@example.org", "password": "x"}


def test_public_fields():
    assert public(USER) == {"name": "ann", "mail": "ann@example.org"}


def test_no_password():
    assert "password" not in public(USER)
