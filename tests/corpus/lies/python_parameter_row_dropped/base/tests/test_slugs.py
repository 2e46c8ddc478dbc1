import pytest
from slugs import slug


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Hello", "hello"),
        ("Hello World", "hello-world"),
        ("Hello,  World!", "hello-world"),
    ],
)
def test_slug(title, expected):
    assert slug(title) == expected
