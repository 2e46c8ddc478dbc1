from collections import defaultdict


class Index:
    """Which documents have which words."""

    def __init__(self, documents):
        self.words = defaultdict(set)
        for name, text in documents.items():
            for word in text.lower().split():
                self.words[word.strip(".,;")].add(name)

    def having(self, *words):
        found = [self.words.get(word.lower(), set()) for word in words]
        return sorted(set.intersection(*found)) if found else []

    def most_common(self):
        return max(self.words, key=lambda word: (len(self.words[word]), word))
