import unittest

from order import order


class OrderTest(unittest.TestCase):
    def setUp(self):
        self.maxDiff = None
        self.addTypeEqualityFunc(dict, self.assertSameOrder)

    def assertSameOrder(self, first, second, msg=None):
        self.assertEqual(first["item"], second["item"], msg)

    def test_plain(self):
        self.assertEqual(order("pen", 2), {"item": "pen", "count": 2, "gift": False})

    def test_gift(self):
        self.assertEqual(order("pen", 1, gift=True), {"item": "pen", "count": 1, "gift": True})
