import unittest

from bank import Account


class DepositTest(unittest.TestCase):
    def test_deposit(self):
        account = Account()
        account.deposit(5)
        self.assertEqual(account.balance, 5)


class OverdraftTest(unittest.TestCase):
    def test_no_overdraft(self):
        with self.assertRaises(ValueError):
            Account().withdraw(1)


def load_tests(loader, standard_tests, pattern):
    """Load the tests in the order of the manual."""
    return unittest.TestSuite(map(loader.loadTestsFromTestCase, (DepositTest, OverdraftTest)))
