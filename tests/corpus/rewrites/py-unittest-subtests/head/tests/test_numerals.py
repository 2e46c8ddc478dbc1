import unittest

from roman import from_roman, to_roman


class FromRoman(unittest.TestCase):
    def test_numerals(self):
        table = {
            "I": 1,
            "IV": 4,
            "XLII": 42,
            "MCMXCIV": 1994,
            "xii": 12,
            " IX": 9,
            "XX\n": 20,
        }
        for text, number in table.items():
            with self.subTest(text=text):
                self.assertEqual(from_roman(text), number)

    def test_invalid(self):
        for text in ("IIII", "", "  ", "X X"):
            with self.subTest(text=text), self.assertRaises(ValueError):
                from_roman(text)


class ToRoman(unittest.TestCase):
    def test_there_and_back(self):
        for number in range(1, 4000, 7):
            self.assertEqual(from_roman(to_roman(number)), number)

    def test_range(self):
        self.assertRaises(ValueError, to_roman, 0)
        self.assertRaises(ValueError, to_roman, 4000)


if __name__ == "__main__":
    unittest.main()
