from chunks import chunks


def test_even():
    assert chunks([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]


def test_rest():
    for actual, expected in zip(chunks([1, 2, 3], 2), [[1, 2], [3]], strict=True):
        assert actual == expected
