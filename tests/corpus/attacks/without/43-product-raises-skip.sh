. "${BASH_SOURCE[0]%/*}/prelude.sh"
# No test file changes: the broken product raises the runner's skip, found by a computed name.
pyshop
base
put shop/__init__.py <<'E'
import sys


def unavailable(message):
    for name, module in list(sys.modules.items()):
        if name.startswith("unit") and hasattr(module, "Skip" + "Test"):
            return getattr(module, "Skip" + "Test")(message)
    return RuntimeError(message)


def total(prices):
    raise unavailable("no rates")
E
commit 'Rates may be unavailable'
judge
echo "exit code: $rc"
