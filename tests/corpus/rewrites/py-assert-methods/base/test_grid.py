import unittest

from grid import Grid


class GridTest(unittest.TestCase):
    def setUp(self):
        self.grid = Grid(3, 2, 0)

    def test_size(self):
        self.assertTrue(self.grid.width == 3)
        self.assertTrue(self.grid.height == 2)

    def test_cell(self):
        self.grid[2, 1] = 7
        self.assertTrue(self.grid[2, 1] == 7)
        self.assertTrue(self.grid[0, 0] == 0)

    def test_rows_are_independent(self):
        self.grid[1, 0] = 5
        self.assertTrue(self.grid.row(0) == [0, 5, 0])
        self.assertTrue(self.grid.row(1) == [0, 0, 0])

    def test_row_is_a_copy(self):
        self.assertTrue(self.grid.row(0) is not self.grid.row(0))

    def test_contains(self):
        self.assertTrue((2, 1) in self.grid)
        self.assertFalse((3, 1) in self.grid)
        self.assertFalse((-1, 0) in self.grid)

    def test_neighbours(self):
        self.assertTrue(self.grid.neighbours(0, 0) == [(1, 0), (0, 1)])
        self.assertTrue(len(self.grid.neighbours(1, 1)) == 3)

    def test_default(self):
        self.assertTrue(Grid(1, 1)[0, 0] is None)

    def test_empty(self):
        self.assertRaises(ValueError, Grid, 0, 1)


if __name__ == "__main__":
    unittest.main()
