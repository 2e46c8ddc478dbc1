import unittest

from plural import plural

CASES = [
    {"word": "cat", "plural": "cats", "rule": "s"},
    {"word": "box", "plural": "boxes", "rule": "es"},
    {"word": "city", "plural": "cities", "rule": "ies"},
]


class PluralTest(unittest.TestCase):
    def test_regular(self):
        self.assertEqual(plural("dog"), "dogs")

    def test_rules(self):
        for case in (case for case in CASES if case.get("rules")):
            with self.subTest(case["word"]):
                self.assertEqual(plural(case["word"]), case["plural"])
