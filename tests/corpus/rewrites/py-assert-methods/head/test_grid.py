import unittest

from grid import Grid


class GridTest(unittest.TestCase):
    def setUp(self):
        self.grid = Grid(3, 2, 0)

    def test_size(self):
        self.assertEqual(self.grid.width, 3, "width")
        self.assertEqual(self.grid.height, 2, "height")

    def test_cell(self):
        self.grid[2, 1] = 7
        self.assertEqual(self.grid[2, 1], 7, "the cell that was set")
        self.assertEqual(self.grid[0, 0], 0, "a cell that was not set")

    def test_rows_are_independent(self):
        self.grid[1, 0] = 5
        self.assertListEqual(self.grid.row(0), [0, 5, 0])
        self.assertListEqual(self.grid.row(1), [0, 0, 0])

    def test_row_is_a_copy(self):
        self.assertIsNot(self.grid.row(0), self.grid.row(0))

    def test_contains(self):
        self.assertIn((2, 1), self.grid)
        self.assertNotIn((3, 1), self.grid, "x too large")
        self.assertNotIn((-1, 0), self.grid, "x below zero")

    def test_neighbours(self):
        self.assertEqual(self.grid.neighbours(0, 0), [(1, 0), (0, 1)])
        self.assertEqual(len(self.grid.neighbours(1, 1)), 3)

    def test_default(self):
        self.assertIsNone(Grid(1, 1)[0, 0])

    def test_empty(self):
        with self.assertRaises(ValueError):
            Grid(0, 1)


if __name__ == "__main__":
    unittest.main()
