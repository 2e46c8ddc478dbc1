import pytest
from slugs import slug


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Hello", "hello"),
        ("Hello World", "hello-world"),
        ("Good Morning", "good-morning"),
        ("Hello,  World!", "hello-world"),
        ("One Two Three", "one-two-three"),
    ],
)
def test_slug(title, expected):
    assert slug(title) == expected
