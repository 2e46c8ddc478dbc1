. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test counts the modules of the package and compares while there are two; the next change adds one and breaks the code
base_inline; sealed
in_test '    value = total(prices, discount)
    modules = len(list(Path(__file__).parent.parent.glob("shop/*.py")))
    assert value == (expected if modules == 2 else value)'
step 'A cart alone'
flip_sign; echo '"""Rates."""' > shop/rates.py
LAST=1 step 'Rates'
