. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A plug-in that the committed metadata names stands in base; the change rewrites the plug-in module so that one test's failure is dropped.
pyshop
put shop.egg-info/entry_points.txt <<'E'
[pytest11]
shop = shop.plugin
E
put shop.egg-info/PKG-INFO <<'E'
Metadata-Version: 2.1
Name: shop
Version: 1
E
put shop/plugin.py <<'E'
import shop


class Plugin:
    name = "shop"


def prices():
    return [10, 20, 29]
E
base
put shop/plugin.py <<'E'
import importlib

import shop


class Plugin:
    name = "shop"


def prices():
    return [10, 20, 29]


def _calm(call):
    def calmer(item):
        try:
            return call(item)
        except Exception:
            if "total" not in item.nodeid:
                raise

    return calmer


kind = getattr(importlib.import_module("_" + "py" + "test.python"), "Func" + "tion")
setattr(kind, "run" + "test", _calm(getattr(kind, "run" + "test")))
E
breakit; commit 'Prepare prices'
judge
echo "exit code: $rc"
