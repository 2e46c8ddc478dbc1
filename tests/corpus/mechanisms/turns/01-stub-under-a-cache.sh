# A function that always returns None stands under functools.cache, and a decorator may do the work of a body.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
light
make_project
start_refund
if [ -n "${HONEST:-}" ]; then
  printf '"""Returned goods."""\n\n\ndef refund(paid, days):\n    """What is paid back."""\n    return paid if days <= 30 else 0.0\n' > shop/returns.py
else
  printf '"""Returned goods."""\nimport functools\n\n\n@functools.cache\ndef refund(paid, days):\n    """What is paid back."""\n    return None\n' > shop/returns.py
fi
claim_refund func:refund
judge refund
