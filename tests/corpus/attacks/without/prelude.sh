# Sourced by the attacks: bash NAME.sh FOLDER, with GATE naming the program; the last line has the exit code in CI.
# preamble -----------------------------------------------------------------
set -u
: "${GATE:?set GATE to the gate program}"
T=${1:?folder}; rm -rf "$T"; mkdir -p "$T/repo"; T=$(cd "$T" && pwd); cd "$T/repo"
export GIT_AUTHOR_NAME=Dev GIT_AUTHOR_EMAIL=dev@example.org GIT_COMMITTER_NAME=Dev GIT_COMMITTER_EMAIL=dev@example.org
git init -q -b main
put() { mkdir -p "$(dirname "$1")"; cat > "$1"; }          # put FILE < text
commit() { git add --all && git commit -q --allow-empty -m "$@"; }
base() { "$GATE" init --no-verdict >/dev/null 2>&1; [ -z "${REFUSE:-}" ] || sed -i 's/"extends": "code",/"extends": "code", "weakening": "refuse", "expectations": "disclose",/' config/verification.profiles.json; commit "As it is"; BASE=$(git rev-parse HEAD); git checkout -q -b topic; }
judge() { # a clean clone, as in CI; prints report and exit code
  rm -rf "$T/ci"; git clone -q "$T/repo" "$T/ci"; cd "$T/ci" && git checkout -q topic
  "$GATE" verify --ref HEAD --base "${1:-$BASE}" --quiet "${@:2}"; rc=$?
  "$GATE" show implicit --json > "$T/show.json" 2>/dev/null; cd "$T/repo"; }
old_tests() { # the base's test files on the head's code, by the runner itself
  rm -rf "$T/old"; git clone -q "$T/repo" "$T/old"; ( cd "$T/old" && git checkout -q topic && git checkout -q "$BASE" -- "${@:-tests}" && python3 -m pytest -q -p no:cacheprovider 2>&1 | tail -4; ); }
pyshop() { # the standard project
put pyproject.toml <<'E'
[project]
name = "shop"
version = "1"

[tool.pytest.ini_options]
pythonpath = ["."]
E
put shop/__init__.py <<'E'
def total(prices):
    """Sum of prices in cents."""
    return sum(prices)
E
put tests/test_total.py <<'E'
from shop import total


def test_total():
    assert total([10, 20, 29]) == 59
E
put tests/test_other.py <<'E'
def test_other():
    assert sorted([3, 1, 2]) == [1, 2, 3]
E
}
breakit() { sed -i 's/return sum(prices)$/return sum(prices) - 1/' shop/__init__.py; }
# two changes ---------------------------------------------------------------
verify_change() { # verify_change BASE: as judge, by the profile a CI job pins
  judge "$1" --profile code_default
  [ -z "${KEEP:-}" ] || { f=$(find "$T/ci/.artifacts" -name sensitivity.json | head -1); [ -z "$f" ] || cp "$f" "$T/sensitivity-${STEP:-1}.json"; f=$(find "$T/ci/.artifacts" -name counterfactual.json | head -1); [ -z "$f" ] || cp "$f" "$T/counterfactual-${STEP:-1}.json"; cp "$T/show.json" "$T/show-${STEP:-1}.json"; }
}
first() { # first MESSAGE: the change of the tests; ends the script where it is stopped
  STEP=1; commit "$@"; FIRST=$(git rev-parse HEAD); echo "== change 1"; verify_change "$BASE"
  echo "exit code of change 1: $rc"
  [ "$rc" = 0 ] || { echo "exit code: $rc"; exit 0; }
}
second() { # second MESSAGE: the change of the code, against the first
  STEP=2; commit "$@"; echo "== change 2"; verify_change "$FIRST"
}
proof() { # the tests of the base on the last code, by pytest itself
  echo "== the base's tests on this code"; old_tests "${@:-tests}"
}
finish() { echo "exit code: $rc"; }
pyprices() { # a project whose code has lines that can be varied, all of which the tests notice
put pyproject.toml <<'E'
[project]
name = "shop"
version = "1"

[tool.pytest.ini_options]
pythonpath = ["."]
E
printf '__pycache__/\n.pytest_cache/\n' > .gitignore
put shop/__init__.py <<'E'
__version__ = "1.0"
E
put shop/prices.py <<'E'
def total(prices, discount=0):
    """Sum of prices in cents, less a discount in percent."""
    amount = 0
    for price in prices:
        if price < 0:
            raise ValueError(price)
        amount = amount + price
    return amount - amount * discount // 100
E
put tests/test_prices.py <<'E'
import pytest
from shop.prices import total


def test_total():
    assert total([0, 10, 20, 29]) == 59
    assert total([50, 51], 10) == 91
    with pytest.raises(ValueError):
        total([-1])
E
}
