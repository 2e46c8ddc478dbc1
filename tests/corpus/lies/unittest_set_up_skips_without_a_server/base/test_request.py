import unittest

from request import request


class PathTest(unittest.TestCase):
    def test_path(self):
        self.assertEqual(request("/a")["path"], "/a")


class TokenTest(unittest.TestCase):
    def setUp(self):
        self.token = "t"

    def test_token_is_sent(self):
        self.assertEqual(request("/a", self.token)["headers"]["Authorization"], "Bearer t")
