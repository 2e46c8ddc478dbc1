def count(text):
    counts = {}
    for word in text.lower().split():
        counts[word] = counts[word] + 1 if word in counts else 0
    return counts
