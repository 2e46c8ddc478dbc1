from events import event


def test_kind():
    assert event("login", 5)["kind"] == "login"


def test_milliseconds_are_kept():
    assert event("login", 5.25) == {"kind": "login", "at": 5.25}
