"""The files of the demo's repository, and the changes of each task."""

from __future__ import annotations

from verigate.domain.task_folder import ARTIFACTS_FOLDER

_CART = '''"""A shopping cart."""


def total(prices: list[float]) -> float:
    """The sum of all prices."""
    return round(sum(prices), 2)
'''

_TEST_CART = """from shop.cart import total


def test_total_of_nothing() -> None:
    assert total([]) == 0


def test_total() -> None:
    assert total([1.5, 2.25]) == 3.75
"""

_FORMAT = """export function money(amount) {
  return `${amount.toFixed(2)} €`;
}
"""

_TEST_FORMAT = """import assert from "node:assert/strict";
import { test } from "node:test";

import { money } from "./format.js";

test("money has two digits", () => {
  assert.equal(money(1.5), "1.50 €");
});
"""

PYTHON = {
    ".gitignore": f".venv/\n__pycache__/\n{ARTIFACTS_FOLDER}/\n",
    "README.md": "# Shop\n\nA small shop.\n",
    "pyproject.toml": (
        '[project]\nname = "shop"\nversion = "1.0.0"\n\n'
        '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n\n'
        '[tool.ruff.lint]\nselect = ["E", "F", "I", "B"]\n'
    ),
    "shop/__init__.py": "",
    "shop/cart.py": _CART,
    "tests/test_cart.py": _TEST_CART,
}

JAVASCRIPT = {
    "package.json": '{\n  "name": "shop-web",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
    "web/format.js": _FORMAT,
    "web/format.test.js": _TEST_FORMAT,
}

HONEST_PYTHON = {
    "shop/cart.py": _CART
    + '''

def discounted(prices: list[float], percent: float) -> float:
    """The total after a discount of ``percent`` (0 to 100)."""
    return round(total(prices) * (1 - percent / 100), 2)
''',
    "tests/test_cart.py": _TEST_CART.replace("import total", "import discounted, total")
    + """

def test_discounted() -> None:
    assert discounted([10.0, 10.0], 25) == 15.0
""",
}

HONEST_JAVASCRIPT = {
    "web/format.js": _FORMAT
    + """
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}
""",
    "web/format.test.js": _TEST_FORMAT.replace("{ money }", "{ money, percent }")
    + """
test("percent is a whole number", () => {
  assert.equal(percent(0.254), "25 %");
});
""",
}

FAILING = {
    "shop/returns.py": '''"""Returned goods."""


def refund(paid: float, days: int) -> float:
    """What is paid back: everything within 30 days, nothing later."""
    return paid if days < 30 else 0.0
''',
    "tests/test_returns.py": """from shop.returns import refund


def test_refund_within_thirty_days() -> None:
    assert refund(9.99, 30) == 9.99


def test_refund_later() -> None:
    assert refund(9.99, 31) == 0.0
""",
}

MISSING = {"README.md": "# Shop\n\nA small shop. Customers can return goods within 30 days.\n"}
