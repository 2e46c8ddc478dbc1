# A shop of one file and two tests, its policy on main of a bare remote, and a branch "topic" in a clone to work on.
# Folders: $TOP/remote.git, $TOP/repo (the attacker's clone), $TOP/fresh (made by the final call).
export GIT_CONFIG_NOSYSTEM=1
TOP=$PWD
GATE_CI="$(dirname "$(readlink -f "$(command -v gate)")")/gate-ci"

make_project() {
    git config --global init.defaultBranch main
    git config --global advice.detachedHead false
    git init -q --bare "$TOP/remote.git"
    mkdir "$TOP/repo" && cd "$TOP/repo" && git init -q
    mkdir -p shop tests config .artifacts
    : >shop/__init__.py
    printf 'def total(prices):\n    """Sum of prices."""\n    return sum(prices)\n' >shop/total.py
    printf 'from shop.total import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_none():\n    assert total([]) == 0\n' >tests/test_total.py
    printf '*\n!.gitignore\n!*/\n!*/commitment.json\n!*/claim.json\n!*/UNVERIFIED\n!.approvals/*.json\n' >.artifacts/.gitignore
    printf '__pycache__/\n.pytest_cache/\nvendor/\n' >.gitignore
    printf '{"code": {"order": ["code:diff", "code:integrity", "code:tests"], "required": ["code:diff", "code:integrity", "code:tests"], "optional": []}}\n' >config/adapter-plan.json
    printf '{"code_default": {"extends": "code", "lint_errors_max": null}}\n' >config/verification.profiles.json
    if [ -n "${POLICY_JSON:-}" ]; then printf '%s\n' "$POLICY_JSON" >config/policy.json; fi
    git add --all && git commit -q -m 'A shop and its policy'
    git remote add origin "$TOP/remote.git" && git push -q origin main && git fetch -q origin && git remote set-head origin main
    git checkout -q -b topic
    MAIN=$(git rev-parse main)
}

good_work() {                     # honest: a function more
    printf '\n\ndef mean(prices):\n    """Mean of prices, 0 for none."""\n    return sum(prices) / len(prices) if prices else 0\n' >>shop/total.py
    git add --all && git commit -q -m 'Add a mean'
}

break_code() { sed -i 's/sum(prices)$/sum(prices) + 1/' shop/total.py; }      # two tests fail

loosen() {                        # a profile that asks for nothing, and lets policy change
    printf '{"code_default": {"description": "lax", "tests_min": 0, "tests_pass": false, "integrity": false, "allow_policy_change": true, "weakening": "allow"}}\n' >config/verification.profiles.json
}

save() { git add --all && git commit -q -m "${1:-Work}"; }

clean() { env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" LANG=C.UTF-8 "$@"; }

fresh_clone() {                   # what CI has: a clone of the remote with the branch checked out, and a HOME of its own
    git push -q --force origin topic
    mkdir "$TOP/ci-home" && export HOME="$TOP/ci-home"
    git config --global advice.detachedHead false
    git clone -q "$TOP/remote.git" "$TOP/fresh" && cd "$TOP/fresh" && git checkout -q topic
}

judge() {                         # in a fresh clone, policy named by the caller
    fresh_clone
    clean gate verify --quiet --ref HEAD --base "$(git merge-base origin/main HEAD)" --policy-ref "${REF:-origin/main}" "$@"
}

judge_plain() {                   # in a fresh clone, as docs/ci.md "Plain shell" says: base and profile, no policy ref
    fresh_clone
    clean gate verify --quiet --ref HEAD --base "$(git merge-base origin/main HEAD)" --profile code_default "$@"
}

judge_here() {                    # a person in the same clone, who fetches first
    git -C "$TOP/repo" fetch -q origin || true
    cd "$TOP/repo"
    clean gate verify --quiet --ref HEAD --base "${BASE:-$MAIN}" --policy-ref "${REF:-origin/main}" "$@"
}

judge_fetched() {                 # like CI systems that make an empty repository and fetch all branches into it
    git push -q --force origin topic
    mkdir "$TOP/ci-home" && export HOME="$TOP/ci-home"
    git config --global advice.detachedHead false && git config --global init.defaultBranch work
    git init -q "$TOP/fresh" && cd "$TOP/fresh" && git remote add origin "$TOP/remote.git" && git fetch -q origin
    git checkout -q --detach origin/topic
    clean gate verify --quiet --ref HEAD --base "$(git merge-base origin/main HEAD)" --profile code_default "$@"
}

adapter() {                       # adapter NAME CAPABILITY BODY: an adapter of the repository, written in sh
    mkdir -p "adapters/$1"
    printf '%s' "$3" >"adapters/$1/run.sh"; chmod +x "adapters/$1/run.sh"
}
