import unittest

from orders import Refused, cancel, reserve, send
from stock import free, stock_of


class OrdersTest(unittest.TestCase):
    def setUp(self):
        self.stock = stock_of(tea=5, pot=1)
        self.stock["tea"]["reserved"] = {"bob": 1}
        self.before = dict(self.stock)

    def tearDown(self):
        self.assertEqual(self.stock, self.before, "the stock that was given has changed")

    def test_reserving(self):
        stock = reserve(self.stock, "ada", tea=2, pot=1)
        self.assertEqual(stock["tea"], {"count": 5, "reserved": {"bob": 1, "ada": 2}})
        self.assertEqual((free(stock, "tea"), free(stock, "pot"), free(stock, "cup")), (2, 0, 0))

    def test_reserving_more(self):
        stock = reserve(self.stock, "bob", tea=3)
        self.assertEqual(stock["tea"], {"count": 5, "reserved": {"bob": 4}})

    def test_reserving_too_much(self):
        with self.assertRaisesRegex(Refused, "tea"):
            reserve(self.stock, "ada", pot=1, tea=5)

    def test_cancelling(self):
        self.assertEqual(cancel(self.stock, "bob"), stock_of(tea=5, pot=1))

    def test_sending(self):
        self.assertEqual(send(self.stock, "bob"), stock_of(tea=4, pot=1))


if __name__ == "__main__":
    unittest.main()
