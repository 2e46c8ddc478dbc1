def deal(cards, random):
    """Deal all cards in random order."""
    left = list(cards)
    dealt = []
    while left:
        dealt.append(left.pop(random.randrange(len(left))))
    return dealt
