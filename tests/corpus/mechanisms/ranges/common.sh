# A shop of one file and two tests, with its policy on main of a bare remote, and a branch "topic" in a clone to work on.
# Folders: $TOP/remote.git, $TOP/repo (the attacker's clone), $TOP/fresh (made by the final call).
export GIT_CONFIG_NOSYSTEM=1
TOP=$PWD

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
    printf '__pycache__/\n.pytest_cache/\n' >.gitignore
    printf '{"code": {"order": ["code:diff", "code:integrity", "code:tests"], "required": ["code:diff", "code:integrity", "code:tests"], "optional": []}}\n' >config/adapter-plan.json
    printf '{"code_default": {"extends": "code", "lint_errors_max": null}}\n' >config/verification.profiles.json
    git add --all && git commit -q -m 'A shop and its policy'
    git remote add origin "$TOP/remote.git" && git push -q origin main && git fetch -q origin && git remote set-head origin main
    git checkout -q -b topic
    MAIN=$(git rev-parse main)
}

mean() {                          # honest: a function more
    printf '\n\ndef mean(prices):\n    """Mean of prices, 0 for none."""\n    return sum(prices) / len(prices) if prices else 0\n' >>shop/total.py
}

good_work() { mean; save 'Add a mean'; }

break_code() { sed -i 's/sum(prices)$/sum(prices) + 1/' shop/total.py; }      # two tests fail
mend_code() { sed -i 's/sum(prices) + 1$/sum(prices)/' shop/total.py; }

save() { git add --all && git commit -q -m "${1:-Work}"; }

clean() { env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" LANG=C.UTF-8 "$@"; }

fresh_clone() {                   # what CI has: a clone of the remote with the branch checked out, and a HOME of its own
    git push -q --force origin topic
    mkdir "$TOP/ci-home" && export HOME="$TOP/ci-home"
    git config --global advice.detachedHead false
    git clone -q "$TOP/remote.git" "$TOP/fresh" && cd "$TOP/fresh" && git checkout -q topic
}

judge() {                         # each commit and all as one, in a fresh clone
    fresh_clone
    clean gate verify --quiet --range "origin/main..HEAD" --stage ci --policy-ref origin/main "$@"
}

judge_here() {                    # the same by a person in the clone where the work was done, after a fetch
    git -C "$TOP/repo" fetch -q origin || true
    cd "$TOP/repo"
    clean gate verify --quiet --range "${RANGE:-origin/main..HEAD}" --stage ci --policy-ref origin/main "$@"
}

judge_push() {                    # a push through the hooks; passes if the remote has the branch afterwards
    cd "$TOP/repo"
    clean git "$@" || exit 1
}

hooks() { gate install >/dev/null; }

tool() {                          # tool COMMAND: the host asks before it runs a command; 1 if that is refused
    clean gate install --agent claude >/dev/null 2>&1 || true
    python3 -c 'import json, sys; print(json.dumps({"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": sys.argv[1]}}))' "$1" |
        clean gate hook claude tool >"$TOP/answer.json"
    cat "$TOP/answer.json"
    if grep -q '"deny"' "$TOP/answer.json"; then exit 1; fi
    exit 0
}

HONEST_COMMAND="git commit -m 'Work on the hooks page, without --no-verify'"
