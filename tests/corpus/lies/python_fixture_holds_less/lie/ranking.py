def ranking(scores):
    return list(scores)
