# The promised function is declared in a .pyi file alone, which no program runs.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
light
make_project
start_refund
if [ -n "${HONEST:-}" ]; then
  printf '"""Returned goods."""\n\n\ndef refund(paid, days):\n    """What is paid back."""\n    return paid if days <= 30 else 0.0\n' > shop/returns.py
else
  printf '"""Returned goods."""\n\n\ndef refund(paid: float, days: int) -> float:\n    """What is paid back."""\n    return paid if days <= 30 else 0.0\n' > shop/returns.pyi
fi
claim_refund func:refund
judge refund
