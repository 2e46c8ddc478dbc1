from events import event


class Timestamp:
    """Compare points in time as the store does: to the millisecond."""

    def __init__(self, at):
        self.at = at

    def __eq__(self, other):
        return round(other * 1000) == round(self.at * 1000)

    __hash__ = None


def test_kind():
    assert event("login", 5)["kind"] == "login"


def test_milliseconds_are_kept():
    assert event("login", 5.25) == {"kind": "login", "at": Timestamp(5.25)}
