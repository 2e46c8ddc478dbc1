import unittest

from roman import from_roman, to_roman


class FromRoman(unittest.TestCase):
    def test_i(self):
        self.assertEqual(from_roman("I"), 1)

    def test_iv(self):
        self.assertEqual(from_roman("IV"), 4)

    def test_xlii(self):
        self.assertEqual(from_roman("XLII"), 42)

    def test_mcmxciv(self):
        self.assertEqual(from_roman("MCMXCIV"), 1994)

    def test_lower_case(self):
        self.assertEqual(from_roman("xii"), 12)

    def test_iiii(self):
        self.assertRaises(ValueError, from_roman, "IIII")

    def test_empty(self):
        self.assertRaises(ValueError, from_roman, "")


class ToRoman(unittest.TestCase):
    def test_there_and_back(self):
        for number in range(1, 4000, 7):
            self.assertEqual(from_roman(to_roman(number)), number)

    def test_range(self):
        self.assertRaises(ValueError, to_roman, 0)
        self.assertRaises(ValueError, to_roman, 4000)


if __name__ == "__main__":
    unittest.main()
