import unittest

from settings import SettingError, port


class PortTest(unittest.TestCase):
    def test_port(self):
        self.assertEqual(port({"port": "80"}), 80)

    def test_too_large(self):
        self.assertRaises(SettingError, port, {"port": "70000"})

    def test_missing(self):
        self.assertRaises((SettingError, TypeError), port, {})
