import unittest

from orders import Refused, cancel, reserve, send
from stock import free, stock_of


class OrdersTest(unittest.TestCase):
    def test_reserving(self):
        stock = reserve(stock_of(tea=5, pot=1), "ada", tea=2, pot=1)
        self.assertEqual(stock["tea"], {"count": 5, "reserved": {"ada": 2}})
        self.assertEqual((free(stock, "tea"), free(stock, "pot"), free(stock, "cup")), (3, 0, 0))

    def test_reserving_more(self):
        stock = reserve(reserve(stock_of(tea=5), "ada", tea=2), "ada", tea=3)
        self.assertEqual(stock, {"tea": {"count": 5, "reserved": {"ada": 5}}})

    def test_reserving_too_much(self):
        stock = reserve(stock_of(tea=5, pot=1), "bob", tea=2)
        with self.assertRaisesRegex(Refused, "tea"):
            reserve(stock, "ada", pot=1, tea=4)
        self.assertEqual(stock, reserve(stock_of(tea=5, pot=1), "bob", tea=2))

    def test_cancelling(self):
        stock = reserve(reserve(stock_of(tea=5, pot=1), "ada", tea=2), "bob", tea=1)
        self.assertEqual(cancel(stock, "ada")["tea"], {"count": 5, "reserved": {"bob": 1}})
        self.assertEqual(stock["tea"], {"count": 5, "reserved": {"ada": 2, "bob": 1}})

    def test_sending(self):
        stock = reserve(reserve(stock_of(tea=5, pot=1), "ada", tea=2), "bob", tea=1)
        self.assertEqual(send(stock, "ada")["tea"], {"count": 3, "reserved": {"bob": 1}})
        self.assertEqual(stock["tea"], {"count": 5, "reserved": {"ada": 2, "bob": 1}})


if __name__ == "__main__":
    unittest.main()
