import unittest

import address


class LabelTest(unittest.TestCase):
    def test_city_is_normalised(self):
        self.assertEqual(address.label("Ann", " new   york "), "Ann, New York")

    def test_plain(self):
        self.assertEqual(address.label("Bob", "Rome"), "Bob, Rome")
