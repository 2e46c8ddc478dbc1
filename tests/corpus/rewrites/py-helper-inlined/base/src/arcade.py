class Board:
    def __init__(self):
        self._scores = []

    def enter(self, player, points):
        if points < 0:
            raise ValueError("points below zero")
        self._scores.append((points, player))

    def best(self, count):
        """Return the best players, highest score first."""
        return [player for _, player in sorted(self._scores, reverse=True)[:count]]
