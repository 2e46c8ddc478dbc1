class Grid:
    def __init__(self, width, height, fill=None):
        if width < 1 or height < 1:
            raise ValueError("a grid has at least one cell")
        self.width, self.height = width, height
        self._cells = [[fill] * width for _ in range(height)]

    def __getitem__(self, place):
        x, y = place
        return self._cells[y][x]

    def __setitem__(self, place, value):
        x, y = place
        self._cells[y][x] = value

    def __contains__(self, place):
        x, y = place
        return 0 <= x < self.width and 0 <= y < self.height

    def neighbours(self, x, y):
        return [(i, j) for i, j in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)) if (i, j) in self]

    def row(self, y):
        return list(self._cells[y])
