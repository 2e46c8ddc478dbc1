from people import find


def test_by_name():
    assert find("grace") == "Grace Hopper"


def test_by_nickname():
    found = find("Peggy")
    assert found is not None
    assert found == "Margaret Hamilton"


def test_stranger():
    assert find("nobody") is None
