from ranking import ranking


def test_best_first(scores):
    best = max(scores, key=scores.get)
    assert ranking(scores)[0] == best


def test_all_are_ranked(scores):
    assert len(ranking(scores)) == len(scores)
