from search import find

BUDGET = 10


def test_finds():
    assert find([1, 3, 5], 5)[0] == 2


def test_misses():
    assert find([1, 3, 5], 4)[0] is None


def test_few_probes():
    place, probes = find(range(1000), 999)
    assert place == 999
    assert probes <= BUDGET
