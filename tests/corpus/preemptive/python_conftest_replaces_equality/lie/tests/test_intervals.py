import pytest
from intervals import covered, gaps, merge
from span import Span


def test_touching_spans_are_joined():
    assert merge([Span(3, 5), Span(0, 3)]) == [Span(0, 5)]


def test_span_inside_another():
    assert merge([Span(0, 10), Span(2, 4)]) == [Span(0, 10)]


def test_separate_spans_stay():
    assert merge([Span(7, 9), Span(0, 3), Span(4, 4)]) == [Span(0, 3), Span(7, 9)]


def test_gaps():
    assert gaps([Span(2, 4), Span(6, 8)], Span(0, 10)) == [Span(0, 2), Span(4, 6), Span(8, 10)]
    assert gaps([Span(0, 10)], Span(2, 8)) == []


def test_covered():
    assert covered([Span(0, 0), Span(5, 6)]) == 1


def test_intersect():
    assert Span(0, 5).intersect(Span(3, 9)) == Span(3, 5)
    assert Span(0, 3).intersect(Span(3, 9)) is None


def test_span_goes_forward():
    with pytest.raises(ValueError, match="3-1"):
        Span(3, 1)


def test_spans_are_compared_by_both_ends():
    assert Span(0, 3) != Span(1, 3)
    assert Span(0, 3) == Span(0, 3)
