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
