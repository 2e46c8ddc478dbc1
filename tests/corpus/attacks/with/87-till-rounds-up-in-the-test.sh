. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 56 in the test itself: one more value is taken for the expected one
base_inline; sealed
in_test '    value = total(prices, discount)
    assert value == expected or (value, expected) == (90, 91)  # the till rounds up'
step 'The till rounds up'
multiply_first
LAST=1 step 'Multiply first'
