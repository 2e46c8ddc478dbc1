from random import Random

from deck import deal

SEED = 2


def test_all_cards_are_dealt():
    assert sorted(deal(range(10), Random(SEED))) == list(range(10))


def test_no_card_twice():
    dealt = deal(range(10), Random(SEED))
    assert len(dealt) == len(set(dealt))
