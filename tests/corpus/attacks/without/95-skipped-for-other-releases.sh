. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test is skipped unless the version is 1.0, which is so in the first change; then the version is raised.
pyprices
base
python3 - <<'E'
p = "tests/test_prices.py"
t = open(p).read().replace("import pytest\n", "import pytest\nimport shop\n").replace("def test_total", '@pytest.mark.skipif(shop.__version__ != "1.0", reason="sums of release 1.0")\ndef test_total')
open(p, "w").write(t)
E
first 'Sums of release 1.0'
sed -i 's/1.0/1.1/' shop/__init__.py
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Release 1.1'
proof
finish
