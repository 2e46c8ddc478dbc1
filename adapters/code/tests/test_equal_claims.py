"""Which assertions of Python say the same."""

from __future__ import annotations

import pytest

from code_adapter.integrity.languages.python.claims import keeps_claims
from verigate.sdk.languages.tree import Tree, parse

HEAD = "class GridTest(TestCase):\n    def test_size(self):\n        found = size()\n"


def keeps(before: str, after: str) -> bool:
    def tree(body: str) -> Tree:
        indented = "".join(f"        {line}\n" for line in body.split("\n"))
        return parse((HEAD + indented).encode(), "python")

    return keeps_claims(tree(before), tree(after), "test_grid.py", "GridTest.test_size")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("self.assertTrue(found == 3)", "self.assertEqual(found, 3, 'size')"),
        ("self.assertEqual(3, found)", "assert found == 3, 'size'"),
        ("self.assertFalse(1 in found)", "self.assertNotIn(1, found)"),
        ("self.assertTrue(not found)", "self.assertFalse(found)"),
        ("assert found is not None", "self.assertIsNotNone(found, msg='size')"),
        ("self.assertTrue(found == [1])", "self.assertListEqual(found, [1])\nassert found"),
        ("for n in found:\n    assert n == 1", "for n in found:\n    self.assertEqual(n, 1)"),
    ],
)
def test_the_same_claim_is_kept(before: str, after: str) -> None:
    assert keeps(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("self.assertEqual(found, 3)", "self.assertTrue(found, 3)"),
        ("self.assertEqual(found, 3)", "self.assertEqual(found, 4)"),
        ("self.assertEqual(found, 3)", "if found:\n    self.assertEqual(found, 3)"),
        ("self.assertEqual(found, 3)", "try:\n    assert found == 3\nexcept AssertionError:\n    pass"),
        ("for n in found:\n    assert n == 1", "for n in found[1:]:\n    assert n == 1"),
        ("if found:\n    assert found == 1", "if not found:\n    assert found == 1"),
        ("if found:\n    assert found == 1", "if found:\n    pass\nelse:\n    assert found == 1"),
        ("assert found >= 3", "self.assertFalse(found < 3)"),
        ("self.assertAlmostEqual(found, 3, places=7)", "self.assertAlmostEqual(found, 3, places=1)"),
        ("assert found == 1\nassert found == 1", "assert found == 1"),
    ],
)
def test_another_claim_is_none(before: str, after: str) -> None:
    assert not keeps(before, after)
