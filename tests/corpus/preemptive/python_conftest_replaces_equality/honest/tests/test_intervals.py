import pytest
from intervals import covered, gaps, merge
from span import Span


def ends(spans):
    return [(span.start, span.stop) for span in spans]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([Span(3, 5), Span(0, 3)], [(0, 5)], id="touching"),
        pytest.param([Span(0, 10), Span(2, 4)], [(0, 10)], id="inside"),
        pytest.param([Span(7, 9), Span(0, 3), Span(4, 4)], [(0, 3), (7, 9)], id="separate"),
    ],
)
def test_merge(spans, expected):
    assert ends(merge(spans)) == expected


def test_gaps():
    assert ends(gaps([Span(2, 4), Span(6, 8)], Span(0, 10))) == [(0, 2), (4, 6), (8, 10)]
    assert gaps([Span(0, 10)], Span(2, 8)) == []


def test_covered():
    assert covered([Span(0, 0), Span(5, 6)]) == 1


def test_intersect():
    assert ends([Span(0, 5).intersect(Span(3, 9))]) == [(3, 5)]
    assert Span(0, 3).intersect(Span(3, 9)) is None


def test_span_goes_forward():
    with pytest.raises(ValueError, match="3-1"):
        Span(3, 1)


def test_spans_are_compared_by_both_ends():
    assert Span(0, 3) != Span(0, 4)
    assert Span(0, 3) == Span(0, 3)
