import pytest

from joinurl import join


@pytest.mark.parametrize(
    ("base", "parts", "joined"),
    [
        ("https://x.org", ["a"], "https://x.org/a"),
        ("https://x.org/", ["/a/", "/b"], "https://x.org/a/b"),
        ("https://x.org/a", [], "https://x.org/a"),
        ("https://x.org/a/b", ["..", "c"], "https://x.org/a/c"),
        ("https://x.org/a", ["./b"], "https://x.org/a/b"),
        ("x/a", ["b/../c"], "x/a/c"),
    ],
)
def test_join(base, parts, joined):
    assert join(base, *parts) == joined


def test_parent_of_the_host():
    with pytest.raises(ValueError, match="leaves"):
        join("https://x.org", "..")
