from collections import Counter


def count(text):
    return dict(Counter(text.lower().split()))
