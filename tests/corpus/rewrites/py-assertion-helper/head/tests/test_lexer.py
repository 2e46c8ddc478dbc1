import pytest

from lexer import tokens


def assert_tokens(source, *expected):
    """Compare kinds and texts of all tokens of the source."""
    found = list(tokens(source))
    assert len(found) == len(expected)
    assert [token.kind for token in found] == [kind for kind, _ in expected]
    assert [token.text for token in found] == [text for _, text in expected]


def test_numbers():
    assert_tokens("1 2.5", ("number", "1"), ("number", "2.5"))


def test_assignment():
    assert_tokens("x = 1", ("name", "x"), ("operator", "="), ("number", "1"))


def test_no_spaces():
    assert_tokens(
        "(a+b_2)", ("operator", "("), ("name", "a"), ("operator", "+"), ("name", "b_2"), ("operator", ")")
    )


def test_columns():
    assert [token.column for token in tokens("  a  b")] == [2, 5]


def test_unknown_character():
    with pytest.raises(SyntaxError, match="unexpected '%' in column 2"):
        list(tokens("a % b"))
