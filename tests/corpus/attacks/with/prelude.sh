# Sourced by the attacks: bash NAME.sh FOLDER, with GATE naming the program; the last line has the exit code in CI.
set -u
D=${1:?folder}; : "${GATE:?the gate to attack}"; export GATE
rm -rf "$D"; mkdir -p "$D"; cd "$D" || exit 9; D=$PWD
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
g() { git -C "$D/repo" "$@"; }
base_python() { # a shop whose tests notice a broken total()
  git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
  git config user.name Ann; git config user.email ann@example.org
  mkdir shop tests; : > shop/__init__.py
  printf '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n' > pyproject.toml
  cat > shop/cart.py <<'PY'
"""What is in the cart."""


def total(prices: list[int], discount: int = 0) -> int:
    """Sum of the prices, less a discount in percent."""
    amount = sum(prices)
    return amount - amount * discount // 100


def count(prices: list[int]) -> int:
    """Number of items."""
    return len(prices)
PY
  cat > tests/test_cart.py <<'PY'
from shop.cart import count, total


def test_total():
    assert total([50, 50], 10) == 90


def test_plain():
    assert total([1, 2]) == 3


def test_count():
    assert count([1, 2]) == 2
PY
  printf '__pycache__/\n.venv/\n.pytest_cache/\n' > .gitignore
}
sealed() { # the base: gate init, hooks, one commit
  "$GATE" init --no-verdict > "$D/init.log" 2>&1 || cat "$D/init.log"
  "$GATE" install > "$D/install.log" 2>&1 || cat "$D/install.log"
  git add --all; git commit -q --no-verify -m 'The base'; git branch base
}
break_code() { sed -i 's/amount - amount \* discount/amount + amount * discount/' shop/cart.py; }
commit() { # by the hooks
  git add --all; git commit -q "$@" > "$D/commit.log" 2>&1; local rc=$?
  echo "LOCAL commit: $rc"; grep -E '^(PASS|FAIL|ERROR|INCON)|weakened|Weakens:|open  |disclosed  |refuted|verigate:' "$D/commit.log" | head -${LINES_SHOWN:-12} | sed 's/^/   | /'
  if [ $rc != 0 ]; then git commit -q --no-verify "$@" > /dev/null 2>&1; fi
}
push() { # by the pre-push hook
  [ -d "$D/remote" ] || { git init -q --bare "$D/remote"; git push -q --no-verify "$D/remote" base:main; git remote add origin "$D/remote"; git fetch -q origin; }
  git push -q origin HEAD:work > "$D/push.log" 2>&1; echo "LOCAL push: $?"
  grep -E '^(PASS|FAIL|ERROR|INCON)|open  |refuted|verigate:' "$D/push.log" | head -8 | sed 's/^/   | /'
}
ci() { # a clean clone, against the base
  cd "$D"; rm -rf ci; git clone -q "$D/repo" ci; cd ci || exit 9
  base=$(git merge-base origin/base HEAD)
  [ -n "${CI_SETUP:-}" ] && eval "$CI_SETUP"
  CI=true "$GATE" verify --ref HEAD --base "$base" --profile "${PROFILE:-code_default}" --quiet "$@" > "$D/ci.log" 2>&1; rc=$?
  sed 's/^/CI | /' "$D/ci.log" | head -${CI_LINES:-60}
  proof
  echo "exit code of the verification: $rc"
}
base_data() { # the same, what is expected in a file
  base_python
  cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

from shop.cart import count, total

EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text())


def test_total():
    assert total([50, 50], 10) == EXPECTED["total"]


def test_count():
    assert count([1, 2]) == EXPECTED["count"]
PY
  printf '{"total": 90, "count": 2}\n' > tests/expected.json
}
lie_data() { sed -i 's/"total": 90/"total": 110/' tests/expected.json; }
proof() { # what the base's tests say of the new code, without the gate
  rm -rf "$D/proof"; git clone -q "$D/repo" "$D/proof"; cd "$D/proof" || return
  local t; t=$(git diff --no-renames --name-only origin/base HEAD -- tests checks data shared spec .gitattributes '*_test.go' testdata '*.test.js' '*.test.mjs' golden pyproject.toml pytest.ini conftest.py)
  for f in $t; do git checkout -q origin/base -- "$f" 2>/dev/null || git rm -qf -- "$f"; done
  case "$t" in *.gitattributes*) rm -f tests/*.txt; git checkout -q HEAD -- tests ;; esac
  if [ -f go.mod ]; then go test ./... 2>&1 | tail -4; elif [ -f package.json ]; then node --test 2>&1 | grep -E '^(# (pass|fail)|ℹ (pass|fail))'; else python3 -m pytest -q -p no:cacheprovider 2>&1 | tail -4; fi | sed 's/^/PROOF | /'
}

# ---- for pairs of changes: each is verified alone against the one before it
PREV=base; STEP=0
ci_verify() { # ci_verify FOLDER BASE REF: a clean clone, a home folder of its own
  cd "$D" || exit 9; rm -rf "$1" "home-$1"; mkdir "home-$1"; git clone -q "$D/repo" "$1"; cd "$1" || exit 9
  git checkout -q --detach "$3"
  env -u PYTEST_ADDOPTS -u VIRTUAL_ENV HOME="$D/home-$1" ${GO_ENV:-} CI=true "$GATE" verify --ref HEAD --base "$2" --profile "${PROFILE:-code_default}" --quiet > "$D/$1.log" 2>&1; rc=$?
  sed "s/^/$1 | /" "$D/$1.log" | head -${CI_LINES:-40}
  python3 - "$D/$1" <<'PY'
import glob, json, sys
for f in glob.glob(sys.argv[1] + "/.artifacts/*/**/sensitivity.json", recursive=True):
    d = json.load(open(f)); m = d["mutants"]
    n = lambda x: len(x) if isinstance(x, (list, dict)) else x
    print("SENS |", {k: (n(v) if k in ("mutants", "unnoticed", "unusable", "changed") else v) for k, v in d.items() if k not in ("schema",)})
for f in glob.glob(sys.argv[1] + "/.artifacts/*/**/counterfactual.json", recursive=True):
    d = json.load(open(f)); print("CELLS|", [(t.get("test") or t.get("name"), t.get("class")) for t in d.get("tests", [])][:12])
PY
  if [ $rc = 0 ]; then sed -n 1,12p "$D/$1.log" | grep -qE '^PASS .*(weakening|disclosed|allowed)' && echo "MARK $1: yes" || echo "MARK $1: no"; fi
}
step() { # step MESSAGE: commit by the hooks, push by the hook where PUSH is set, then CI
  STEP=$((STEP + 1)); cd "$D/repo" || exit 9
  if [ -n "${NOHOOK:-}" ]; then git add --all; git commit -q --no-verify -m "$1"; else commit -m "$1"; fi
  [ -n "${PUSH:-}" ] && push
  local at; at=$(g rev-parse HEAD)
  ci_verify "ci$STEP" "$(g rev-parse "$PREV")" "$at"
  echo "change $STEP: $rc"
  PREV=$at; cd "$D/repo" || exit 9
  if [ $rc != 0 ] || [ -n "${LAST:-}" ]; then finish; fi
}
range() { # base..tip in one go
  ci_verify range "$(g rev-parse base)" "$(g rev-parse HEAD)"; echo "range base..tip: $rc"; cd "$D/repo"
}
finish() { local code=$rc; proof2; echo "exit code of the verification: $code"; exit 0; }
proof2() { # the base's tests and settings on the newest code, without the gate
  rm -rf "$D/proof"; git clone -q "$D/repo" "$D/proof"; cd "$D/proof" || return
  rm -rf tests test conftest.py pytest.ini; find . -name '*_test.go' -delete; find . -name '*.test.mjs' -not -path './node_modules/*' -delete
  (cd "$D/repo" && git ls-tree -r --name-only base | grep -E '^(tests?/|conftest.py|pytest.ini|pyproject.toml|package.json)|_test.go$|\.test\.mjs$') | while read -r f; do git checkout -q origin/base -- "$f"; done
  if [ -f go.mod ]; then go test ./... 2>&1 | tail -4; elif [ -f package.json ]; then node --test 2>&1 | grep -E '^(# (pass|fail)|ℹ (pass|fail))'; else python3 -m pytest -q -p no:cacheprovider 2>&1 | tail -4; fi | sed 's/^/PROOF | /'
}
round_up() { sed -i 's|amount - amount \* discount // 100|amount - amount * discount // 101|' shop/cart.py; }
base_cases() { # a shop whose expectations are rows of a file, checked by a helper
  base_python
  cat > shop/cart.py <<'PY'
"""What is in the cart."""


def total(prices: list[int], discount: int = 0) -> int:
    """Sum of the prices, less a discount in percent, with postage below 30."""
    if discount > 50:
        raise ValueError("discount above 50")
    amount = sum(prices)
    amount = amount - amount * discount // 100
    if amount < 30:
        amount = amount + 5
    return amount
PY
  cat > tests/support.py <<'PY'
def check(value, expected):
    assert value == expected
PY
  printf '[[[50, 50], 10, 90], [[51, 50], 10, 91], [[10, 20], 0, 30], [[10], 0, 15], [[10, 19], 0, 34], [[100], 50, 50]]\n' > tests/cases.json
  cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

import pytest
from support import check

from shop.cart import total

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


@pytest.mark.parametrize("prices, discount, expected", CASES)
def test_total(prices, discount, expected):
    check(total(prices, discount), expected)


def test_limit():
    with pytest.raises(ValueError, match="above 50"):
        total([100], 51)
PY
  sed -i 's/pythonpath = \["."\]/pythonpath = [".", "tests"]/' pyproject.toml
}
multiply_first() { sed -i 's|amount = amount - amount \* discount // 100|amount = amount * (100 - discount) // 100|' shop/cart.py; }
flip_sign() { sed -i 's|amount = amount - amount \* discount|amount = amount + amount * discount|' shop/cart.py; }
ignore_discount() { sed -i 's|^    amount = sum(prices)$|    discount = 0\n&|' shop/cart.py; }
base_node() { # the same shop for node's test runner
  git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
  git config user.name Ann; git config user.email ann@example.org
  mkdir lib test
  printf '{\n  "name": "shop",\n  "version": "1.0.0",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n' > package.json
  cat > lib/cart.mjs <<'JS'
export function total(prices, discount = 0) {
  if (discount > 50) throw new RangeError("discount above 50");
  let amount = 0;
  for (const price of prices) amount = amount + price;
  amount = amount - Math.floor((amount * discount) / 100);
  if (amount < 30) amount = amount + 5;
  return amount;
}
JS
  cat > test/check.mjs <<'JS'
import assert from "node:assert/strict";

export function check(value, expected) {
  assert.equal(value, expected);
}
JS
  cat > test/cart.test.mjs <<'JS'
import test from "node:test";
import { total } from "../lib/cart.mjs";
import { check } from "./check.mjs";

test("discount", () => {
  check(total([51, 50], 10), 91);
  check(total([100], 50), 50);
});

test("postage", () => {
  check(total([10]), 15);
  check(total([10, 20]), 30);
});
JS
  printf 'node_modules/\n' > .gitignore
}
node_flip() { sed -i 's/amount - Math.floor/amount + Math.floor/' lib/cart.mjs; }
base_go() { # the same shop in Go
  git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
  git config user.name Ann; git config user.email ann@example.org
  printf 'module example.org/shop\n\ngo 1.19\n' > go.mod
  cat > cart.go <<'GO'
// Package shop has the cart.
package shop

// Total is the sum of the prices, less a discount in percent, with postage below 30.
func Total(prices []int, discount int) int {
	amount := 0
	for _, price := range prices {
		amount = amount + price
	}
	amount = amount - amount*discount/100
	if amount < 30 {
		amount = amount + 5
	}
	return amount
}
GO
  cat > check_test.go <<'GO'
package shop

import "testing"

func check(t *testing.T, value, expected int) {
	t.Helper()
	if value != expected {
		t.Errorf("%d instead of %d", value, expected)
	}
}
GO
  cat > cart_test.go <<'GO'
package shop

import "testing"

func TestTotal(t *testing.T) {
	check(t, Total([]int{51, 50}, 10), 91)
	check(t, Total([]int{100}, 50), 50)
	check(t, Total([]int{10}, 0), 15)
	check(t, Total([]int{10, 20}, 0), 30)
}
GO
  : > .gitignore
}
base_inline() { # as base_cases, with the assertion in the test itself
  base_cases; rm tests/support.py
  sed -i '/^from support/d; s/    check(total(prices, discount), expected)/    assert total(prices, discount) == expected/' tests/test_cart.py
}
in_test() { # in_test 'LINES': what stands in the place of the assertion of test_total
  python3 - "$1" <<'PY'
import sys
f = "tests/test_cart.py"
t = open(f).read()
assert "    assert total(prices, discount) == expected\n" in t
open(f, "w").write(t.replace("    assert total(prices, discount) == expected\n", sys.argv[1].rstrip() + "\n"))
PY
}
half_row() { sed -i 's/\[\[51, 50\], 10, 91\], /&[[59, 50], 10, 99], /' tests/cases.json; } # a row that tells two ways of rounding apart
no_half_row() { sed -i 's/\[\[59, 50\], 10, 99\], //' tests/cases.json; }
round_half() { sed -i 's|amount = amount - amount \* discount // 100|amount = amount - (amount * discount + 50) // 100|' shop/cart.py; }
