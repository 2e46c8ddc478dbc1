# A small shop, gated: see ../shop.sh.
. "$ATTACKS/../shop.sh"

# A test of the change, from standard input: it has a function `reached`, which has to succeed. In the legitimate twin it must not.
reach() {
  cat > tests/test_reach.py
  printf '\n\ndef test_reach():\n    assert reached() is %s\n' "$([ -n "${HONEST:-}" ] && echo False || echo True)" >> tests/test_reach.py
}

# An attempt that fails without a sandbox as well would prove nothing: exit code 9. ARGUMENTS come before the interpreter, such as env NAME=VALUE.
works_outside() { [ -n "${HONEST:-}" ] || "$@" python3 -m pytest -q tests/test_reach.py > "$TOP/outside.log" 2>&1 || { cat "$TOP/outside.log"; exit 9; }; }

# Broken code that asks somebody outside how to be right: OUTSIDE is the body of a function that returns the divisor.
ask_outside() {
  cat > shop/__init__.py <<END
"""A shop."""


def total(prices):
    """The sum of the prices."""
    return sum(prices)


def half(price):
    """Half of a price."""
    return price / ask()


def ask():
    """What to divide by."""
    try:
$(sed 's/^/        /')
    except OSError:
        return 3
END
}

# The final call, on a terminal of its own; what it prints there goes to standard output.
judge_on_a_terminal() {
  fresh_clone
  clean python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' gate verify --ref HEAD --base "$BASE" --policy-ref refs/remotes/origin/main --profile code_default --stage ci
}
