import unittest
from unittest import mock

import address


class LabelTest(unittest.TestCase):
    @mock.patch.object(address, "normalise", wraps=address.normalise)
    def test_city_is_normalised(self, normalise):
        self.assertEqual(address.label("Ann", " new   york "), "Ann, New York")

    def test_plain(self):
        self.assertEqual(address.label("Bob", "Rome"), "Bob, Rome")
