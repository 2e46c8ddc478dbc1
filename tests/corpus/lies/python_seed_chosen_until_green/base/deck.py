def deal(cards, random):
    """Deal all cards in random order."""
    left = list(cards)
    dealt = []
    while len(left) > 1:
        dealt.append(left.pop(random.randrange(len(left))))
    if random.random() < 0.5:
        dealt.extend(left)
    return dealt
