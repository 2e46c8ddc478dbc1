def ranking(scores):
    return [name for name, _ in sorted(scores.items(), key=lambda item: -item[1])]
