. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Doctests: the end of a result becomes "...": what is varied changes the beginning. Then the end is broken.
pyprices
sed -i 's/^pythonpath.*/&\naddopts = "--doctest-modules"/' pyproject.toml
rm tests/test_prices.py
put tests/test_other.py <<'E'
def test_other():
    assert sorted([3, 1, 2]) == [1, 2, 3]
E
put shop/label.py <<'E'
def label(name, cents, times=1):
    """Text of a line.

    >>> label("Tea", 450)
    '4.50 EUR: Tea'
    >>> label("Tea", 450, 3)
    '13.50 EUR: Tea'
    """
    amount = cents * times
    return f"{amount // 100}.{amount % 100} EUR: {name}"
E
base
sed -i "s/EUR: Tea'$/.../; s/450)$/450)  # doctest: +ELLIPSIS/; s/450, 3)$/450, 3)  # doctest: +ELLIPSIS/" shop/label.py
first 'Shorter examples'
sed -i 's/EUR: {name}/EUR/' shop/label.py
second 'Without names'
echo "== the base's tests on this code"; git show "$BASE:shop/label.py" | sed 's/EUR: {name}/EUR/' > shop/label.py; python3 -m pytest -q -p no:cacheprovider 2>&1 | tail -4
finish
