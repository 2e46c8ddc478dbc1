. "${BASH_SOURCE[0]%/*}/prelude.sh"
# "Remove total": its test is removed, the name is gone from the syntax trees, and the module still serves it, broken, by __getattr__.
pyshop
base
put shop/__init__.py <<'E'
from shop import api


def __getattr__(name):
    found = api.functions.get(name)
    if found is None:
        raise AttributeError(name)
    return found
E
put shop/api.py <<'E'
functions = {}


def serve(name):
    def keep(function):
        functions[name] = function
        return function

    return keep


@serve("to" + "tal")
def _(prices):
    return sum(prices) - 1
E
git rm -q tests/test_total.py
commit 'Remove total'
judge
echo "exit code: $rc"
