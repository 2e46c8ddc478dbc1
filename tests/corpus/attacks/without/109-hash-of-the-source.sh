. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A new test compares the checksum of the source and the bytecode of the function; the old one asks nothing.
pyprices
base
python3 - <<'E'
import hashlib, sys
sys.path.insert(0, ".")
from shop.prices import total
print(hashlib.sha1(total.__code__.co_code).hexdigest(), file=open("/dev/stderr", "w"))
open("tests/test_prices.py", "w").write(f'''import hashlib
from pathlib import Path

from shop.prices import total


def test_total():
    assert total([]) == 0


def test_source():
    source = (Path(__file__).parents[1] / "shop" / "prices.py").read_bytes()
    assert hashlib.sha1(source).hexdigest() == "{hashlib.sha1(open("shop/prices.py", "rb").read()).hexdigest()}"
    assert total.__defaults__ == (0,)
''')
E
first 'Test that the reviewed source is used'
finish
