"""Twins of pytest's and unittest's tests."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

SUITE = Suite(
    "Python",
    "shop/price.py",
    "def total(prices):\n    return sum(prices)\n\n\ndef parse(text):\n    return int(text)\n",
    "\n\ndef mean(prices):\n    return sum(prices) / len(prices)\n",
    "tests/test_price.py",
    """import os

import pytest

from shop.price import parse, total


def assert_total(prices, wanted):
    assert total(prices) == wanted


def test_total():
    assert total([1, 2]) == 3


def test_total_of_many():
    assert_total([1, 2, 3], 6)


def test_no_number():
    with pytest.raises(ValueError):
        parse("x")


@pytest.mark.skip
def test_later():
    assert total([]) is None


@pytest.mark.parametrize("text,number", [("1", 1), ("2", 2), ("-3", -3)])
def test_parse(text, number):
    assert parse(text) == number
""",
)
ONE = "def test_total():\n    assert total([1, 2]) == 3\n"
ADDED = (ONE, f"{ONE}\n\ndef test_one():\n    assert total([7]) == 7\n")

SUITE.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
SUITE.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {SUITE.tests: None},
    {SUITE.tests: None, "tests/shop/test_price.py": SUITE.text},
)
SUITE.twin(suites.SKIPPED, "a test is skipped", ((ONE, f"@pytest.mark.skip\n{ONE}"),), (ADDED,))
SUITE.twin(
    suites.REASON,
    "another test is skipped too",
    (
        ("@pytest.mark.skip\n", '@pytest.mark.skip(reason="later")\n'),
        (ONE, f'@pytest.mark.skip(reason="later")\n{ONE}'),
    ),
    (("@pytest.mark.skip\n", '@pytest.mark.skip(reason="waits for the new tariff")\n'),),
)
SUITE.twin(
    suites.CONDITION,
    "a test is skipped where a variable is missing",
    ((ONE, f'@pytest.mark.skipif(not os.environ.get("SHOP_DB"), reason="no database")\n{ONE}'),),
    (ADDED,),
)
SUITE.twin(
    suites.WEAK,
    "equal becomes true",
    (("total([1, 2]) == 3", "total([1, 2])"),),
    (("total([1, 2]) == 3", "3 == total([1, 2])"),),
)
SUITE.twin(
    suites.WIDE,
    "a ValueError becomes any exception",
    (("pytest.raises(ValueError)", "pytest.raises(Exception)"),),
    (("pytest.raises(ValueError)", 'pytest.raises(ValueError, match="x")'),),
)
SUITE.twin(
    suites.CONSTANT,
    "a constant is asserted",
    (("assert total([1, 2]) == 3", "total([1, 2])\n    assert True"),),
    (ADDED,),
)
SUITE.twin(
    suites.RETURNS, "a test returns first", ((ONE, ONE.replace("    assert", "    return\n    assert")),), (ADDED,)
)
SUITE.twin(
    suites.SWALLOWED,
    "a failure is caught",
    (
        (
            ONE,
            "def test_total():\n    try:\n        assert total([1, 2]) == 3\n    except AssertionError:\n        pass\n",
        ),
    ),
    (
        (
            ONE,
            "def test_total():\n    try:\n        assert total([1, 2]) == 3\n    finally:\n        os.environ.pop('SHOP', None)\n",
        ),
    ),
)
SUITE.twin(
    suites.ROWS,
    "a row is dropped",
    (('("1", 1), ("2", 2), ("-3", -3)', '("1", 1), ("2", 2)'),),
    (('("-3", -3)', '("-3", -3), ("40", 40)'),),
)
SUITE.twin(
    suites.HELPER,
    "a helper asserts nothing",
    (("    assert total(prices) == wanted", "    return total(prices) == wanted"),),
    (("    assert total(prices) == wanted", "    made = total(prices)\n    assert made == wanted"),),
)
SUITE.twin(
    suites.NAMED_AWAY,
    "a test loses its name",
    (("def test_total():", "def check_total():"),),
    (("def test_total():", "def test_sum():"),),
)
SUITE.twin(
    suites.SKIPPED,
    "a test is expected to fail",
    ((ONE, f"@pytest.mark.xfail\n{ONE}"),),
    ((ONE, f"@pytest.mark.slow\n{ONE}"),),
)

CASES = Suite(
    "Python",
    SUITE.code,
    SUITE.source,
    SUITE.added,
    "tests/test_total.py",
    """import os
import unittest

from shop.price import parse, total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_no_number(self):
        with self.assertRaises(ValueError):
            parse("x")

    def test_near(self):
        self.assertAlmostEqual(total([0.1, 0.2]), 0.3, places=9)

    def test_parts(self):
        for text, number in (("1", 1), ("2", 2), ("-3", -3)):
            with self.subTest(text):
                self.assertEqual(parse(text), number)
""",
)
TEST = "    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n"
MORE = (TEST, f"{TEST}\n    def test_one(self):\n        self.assertEqual(total([7]), 7)\n")
CASES.twin(suites.DELETED, "a method of unittest is deleted", ((TEST, ""),), (MORE,))
CASES.twin(
    suites.SKIPPED, "a method of unittest is skipped", ((TEST, f'    @unittest.skip("later")\n{TEST}'),), (MORE,)
)
CASES.twin(
    suites.SKIPPED,
    "a method of unittest skips itself",
    (
        (
            "        self.assertEqual(total([1, 2]), 3)",
            '        self.skipTest("later")\n        self.assertEqual(total([1, 2]), 3)',
        ),
    ),
    (MORE,),
)
CASES.twin(
    suites.WEAK,
    "assertEqual becomes assertTrue",
    (("self.assertEqual(total([1, 2]), 3)", "self.assertTrue(total([1, 2]))"),),
    (("self.assertEqual(total([1, 2]), 3)", 'self.assertEqual(total([1, 2]), 3, "a sum")'),),
)
CASES.twin(suites.WEAK, "fewer places are compared", (("places=9", "places=0"),), (("places=9", "places=10"),))
CASES.twin(
    suites.WIDE,
    "assertRaises takes any exception",
    (("assertRaises(ValueError)", "assertRaises(Exception)"),),
    (("assertRaises(ValueError)", 'assertRaisesRegex(ValueError, "x")'),),
)
CASES.twin(
    suites.ROWS,
    "a subtest is dropped",
    (('("1", 1), ("2", 2), ("-3", -3)', '("1", 1), ("2", 2)'),),
    (('("-3", -3)', '("-3", -3), ("40", 40)'),),
)
