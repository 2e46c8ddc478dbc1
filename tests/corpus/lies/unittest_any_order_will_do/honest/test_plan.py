import unittest

from plan import steps


class StepsTest(unittest.TestCase):
    def test_independent(self):
        self.assertEqual(steps({"a": [], "b": []}), ["a", "b"])

    def test_needs_come_first(self):
        self.assertSequenceEqual(steps({"bake": ["mix"], "mix": []}), ["mix", "bake"])
