def ranking(scores):
    return sorted(scores, key=scores.__getitem__, reverse=True)
