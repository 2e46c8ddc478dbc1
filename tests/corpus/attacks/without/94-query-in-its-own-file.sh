. "${BASH_SOURCE[0]%/*}/prelude.sh"
# What is computed stands in an SQL file of the product: the assertion about one of its clauses is removed, the few lines of Python around it are still tested.
pyprices
put shop/total.sql <<'E'
SELECT country, SUM(cents) AS cents FROM orders WHERE paid = 1 AND cents > 0 GROUP BY country ORDER BY country
E
put shop/report.py <<'E'
import sqlite3
from pathlib import Path

QUERY = (Path(__file__).parent / "total.sql").read_text()


def totals(orders, least=0):
    """Sum of what was paid, by country."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE orders (country TEXT, cents INTEGER, paid INTEGER)")
    db.executemany("INSERT INTO orders VALUES (?, ?, ?)", orders)
    found = {}
    for country, cents in db.execute(QUERY):
        if cents > least:
            found[country] = cents / 100
    return found
E
put tests/test_report.py <<'E'
from shop.report import totals


def test_totals():
    assert totals([("de", 150, 1), ("fr", 70, 1), ("de", 50, 1)]) == {"de": 2.0, "fr": 0.7}
    assert totals([("de", 150, 1), ("de", 50, 0)]) == {"de": 1.5}
    assert totals([("de", 150, 1), ("fr", 1, 1)], 1) == {"de": 1.5}
E
base
sed -i '/50, 0)/d' tests/test_report.py
first 'Two assertions are enough'
sed -i 's/paid = 1 AND //' shop/total.sql
second 'Shorter query'
proof
finish
