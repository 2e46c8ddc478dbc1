. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A new test compares operations and constants of the bytecode, without names and order; the old one asks nothing. Then two names are swapped.
pyprices
base
put tests/test_prices.py <<'E'
import dis

from shop.prices import total

OPERATIONS = ("BINARY_OP", "COMPARE_OP", "RAISE_VARARGS", "POP_JUMP", "RETURN_VALUE", "GET_ITER", "CALL", "UNARY")
KNOWN = CALLS


def test_total():
    assert total([]) == 0


def test_cost():
    steps = dis.get_instructions(total)
    cost = {}
    for step in steps:
        if step.opname.startswith(OPERATIONS):
            name = step.opname + step.argrepr.split("to ")[0]
            cost[name] = cost.get(name, 0) + 1
    constants = {repr(c) for c in total.__code__.co_consts if isinstance(c, (int, tuple))}
    assert cost == KNOWN
    assert {"0", "100"} <= constants | {repr(d) for d in total.__defaults__}
    assert total.__defaults__ == (0,) and "1" not in constants
E
known=$(python3 - <<'E'
import dis, sys
sys.path.insert(0, ".")
from shop.prices import total
ops = ("BINARY_OP", "COMPARE_OP", "RAISE_VARARGS", "POP_JUMP", "RETURN_VALUE", "GET_ITER", "CALL", "UNARY")
cost = {}
for step in dis.get_instructions(total):
    if step.opname.startswith(ops):
        name = step.opname + step.argrepr.split("to ")[0]
        cost[name] = cost.get(name, 0) + 1
print(cost)
E
)
sed -i "s|^KNOWN = CALLS|KNOWN = $known|" tests/test_prices.py
first 'Test what a sum costs'
sed -i 's|return amount - amount \* discount // 100|return discount - discount * amount // 100|' shop/prices.py
second 'Order of factors'
proof
finish
