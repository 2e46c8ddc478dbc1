# What the attempts of this folder share: a small project with a remote, and the final call of the gate.
TOP=$PWD
RIGHTS=$(sed -n 's/^# rights: *//p' "$0" | head -n 1)
mkdir "$TOP/bin"; ln -s "$(dirname "$(readlink -f "$(command -v gate)")")/gate-ci" "$TOP/bin/gate-ci"; export PATH="$TOP/bin:$PATH"
git config --global init.defaultBranch main
git config --global advice.detachedHead false

# A shop of two functions with a test each, gated, on main of a remote, and cloned to "$TOP/p" on the branch topic.
# A function `more_project`, if there is one, adds to it before it is gated. PROFILE and PLAN may replace the configuration.
make_project() {
  git init -q --bare "$TOP/remote.git"
  git init -q "$TOP/p"; cd "$TOP/p"; git remote add origin "$TOP/remote.git"
  mkdir shop tests config .artifacts
  cat > shop/__init__.py <<'END'
"""A shop."""


def total(prices):
    """The sum of the prices."""
    return sum(prices)


def half(price):
    """Half of a price."""
    return price / 2
END
  cat > tests/test_shop.py <<'END'
from shop import half, total


def test_total():
    assert total([2, 3]) == 5


def test_half():
    assert half(10) == 5
END
  cat > pyproject.toml <<'END'
[project]
name = "shop"
version = "1.0"

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
END
  printf '__pycache__/\n.venv/\n.pytest_cache/\n' > .gitignore
  printf '*\n!.gitignore\n!*/\n!*/commitment.json\n!*/claim.json\n!*/UNVERIFIED\n!.approvals/*.json\n' > .artifacts/.gitignore
  local plan='"code:diff", "code:functions", "code:integrity", "code:tests"'
  echo "${PLAN:-{ \"code\": { \"order\": [$plan], \"required\": [$plan], \"optional\": [] \} \}}" | sed 's/\\}/}/g' > config/adapter-plan.json
  echo "${PROFILE:-{ \"code_default\": { \"extends\": \"code\", \"lint_errors_max\": null \} \}}" | sed 's/\\}/}/g' > config/verification.profiles.json
  if declare -F more_project > /dev/null; then more_project; fi
  git add -A; git commit -q -m 'A shop, gated'; git push -q origin main; git fetch -q origin; git remote set-head origin main
  BASE=$(git rev-parse HEAD)
  git checkout -q -b topic
}

commit() { git add -A; git commit -q "$@"; }

# The gate in a clean environment: with the user's own home (user), or a fresh one (none).
clean() {
  local home=$HOME
  if [ "$RIGHTS" = none ]; then home=$TOP/fresh-home; mkdir -p "$home"; fi
  env -i PATH="$PATH" HOME="$home" TMPDIR="$TMPDIR" LANG=C.UTF-8 "$@"
}

# The clone that CI makes: nothing but what was pushed.
fresh_clone() {
  cd "$TOP/p"; git push -q -f origin HEAD:refs/heads/topic
  git clone -q "file://$TOP/remote.git" "$TOP/ci" 2>/dev/null; cd "$TOP/ci"; git checkout -q -B topic origin/topic
}

# The final call: of the commit, by the trusted base and a pinned profile. In a fresh clone where the attacker has no rights here.
judge() {
  if [ "$RIGHTS" = none ]; then
    fresh_clone
    clean gate verify "$@" --ref HEAD --base "$BASE" --policy-ref refs/remotes/origin/main --profile code_default --stage ci --quiet
  else
    cd "$TOP/p"
    clean gate verify "$@" --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet
  fi
}

# A small policy: no tests are run, only what the diff says counts.
light() {
  PLAN='{ "code": { "order": ["code:diff", "code:functions", "code:integrity"], "required": ["code:diff", "code:functions", "code:integrity"], "optional": [] } }'
  PROFILE='{ "code_default": { "units_match": true, "integrity": true, "weakening": "disclose", "expectations": "allow" } }'
}

# A task `refund` that promises a function of this name; `claim_refund UNIT...` claims, and commits all of it.
start_refund() { clean gate start refund --function refund > /dev/null; }
claim_refund() { clean gate claim refund "$@" > /dev/null; commit -m 'Pay back what was paid' -m 'Gate-Task: refund'; }
