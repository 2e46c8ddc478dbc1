# The promised function is defined well, and its name is bound to None afterwards.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
light
make_project
start_refund
if [ -n "${HONEST:-}" ]; then
  printf '"""Returned goods."""\n\n\ndef refund(paid, days):\n    """What is paid back."""\n    return paid if days <= 30 else 0.0\n' > shop/returns.py
else
  printf '"""Returned goods."""\n\n\ndef refund(paid, days):\n    """What is paid back."""\n    return paid if days <= 30 else 0.0\n\n\nrefund = None\n' > shop/returns.py
fi
claim_refund func:refund
judge refund
