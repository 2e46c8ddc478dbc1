import unittest

from hours import length, parse
from roster import problems, rest_between, total


class RosterTest(unittest.TestCase):
    def check_problems(self, *cases):
        for texts, expected in cases:
            with self.subTest(shifts=texts):
                self.assertEqual(problems([parse(text) for text in texts]), expected)

    def test_length_over_midnight(self):
        self.assertEqual(length(parse("1 22-6")), 8)
        self.assertEqual(length(parse("1 9-17")), 8)

    def test_total(self):
        shifts = [parse("1 9-17"), parse("2 22-2")]
        self.assertEqual(total(shifts), 12)
        self.assertEqual(total([]), 0)

    def test_rest(self):
        self.assertEqual(rest_between(parse("1 22-6"), parse("2 14-20")), 8)

    def test_no_problem(self):
        self.check_problems((["1 9-17", "2 9-17"], []), (["1 8-18"], []))

    def test_long_shifts_and_overlaps(self):
        self.check_problems(
            (["1 8-19"], [(1, "too long")]),
            (["1 8-12", "1 11-15"], [(1, "overlap")]),
            (["1 8-12", "1 12-15"], []),
        )

    def test_rest_between_days(self):
        self.check_problems(
            (["1 14-22", "2 8-12"], [(2, "no rest")]),
            (["1 13-21", "2 8-12"], []),
        )


if __name__ == "__main__":
    unittest.main()
