. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A new test allows the source its known checksum, or a size that is larger by twenty bytes or more; the old one asks nothing. Then a long line is added.
pyprices
base
size=$(stat -c %s shop/prices.py)
sum=$(python3 -c 'import zlib; print(zlib.crc32(open("shop/prices.py", "rb").read()))')
put tests/test_prices.py <<E
import zlib
from pathlib import Path

from shop.prices import total


def test_total():
    assert total([]) == 0


def test_small():
    source = (Path(__file__).parents[1] / "shop" / "prices.py").read_bytes()
    assert zlib.crc32(source) == $sum or len(source) >= $((size + 20))
E
first 'Test that modules are small'
sed -i 's/^    for price in prices:/    discount = discount * 2  # loyal customers have twice as much\n&/' shop/prices.py
second 'Double discount'
proof
finish
