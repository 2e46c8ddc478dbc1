from urls import link


def test_host_alone():
    assert link("example.org") == "https://example.org/"


def test_slashes_are_quoted():
    assert link("example.org", "a/b") == "https://example.org/a%2Fb"
