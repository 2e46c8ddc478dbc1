import unittest

from interest import grow


class InterestTest(unittest.TestCase):
    def test_one_year(self):
        self.assertAlmostEqual(grow(10, 0.05, 1), 10.5)

    def test_three_years(self):
        self.assertAlmostEqual(grow(10, 0.05, 3), 11.57625, places=0)


if __name__ == "__main__":
    unittest.main()
