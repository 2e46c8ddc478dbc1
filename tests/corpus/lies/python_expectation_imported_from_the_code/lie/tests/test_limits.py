import limits


def test_a_page_is_thirty():
    assert len(limits.page(list(range(100)))) == limits.MAX_ITEMS


def test_short_page():
    assert limits.page([1]) == [1]
