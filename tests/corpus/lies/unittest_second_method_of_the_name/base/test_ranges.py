import unittest

from ranges import ranges


class RangesTest(unittest.TestCase):
    def test_one_range(self):
        self.assertEqual(ranges([1, 2, 3]), "1-3")

    def test_single_number(self):
        self.assertEqual(ranges([1, 2, 5]), "1-2,5")
