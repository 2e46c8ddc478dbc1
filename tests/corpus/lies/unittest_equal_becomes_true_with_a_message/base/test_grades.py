import unittest

from grades import grade


class GradeTest(unittest.TestCase):
    def test_best(self):
        self.assertEqual(grade(90), "A")

    def test_limit_of_b(self):
        self.assertEqual(grade(75), "B")

    def test_failed(self):
        self.assertEqual(grade(10), "F")
