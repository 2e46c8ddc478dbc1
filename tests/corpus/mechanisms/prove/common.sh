# A shop of one file and two tests in a repository with a small profile. The final call is `gate doctor --prove`, after a look at whether the rule is really blind:
# a commit that breaks what the rule is for is verified, and only if the gate lets that pass does the proof have something to find.
export GIT_CONFIG_NOSYSTEM=1
TOP=$PWD
PROFILE=${PROFILE:-'{"code_default": {"tests_pass": true, "tests_min": 1}}'}
PLAN=${PLAN:-'{"code": {"order": ["code:diff", "code:tests"], "required": ["code:diff", "code:tests"], "optional": []}}'}

make_project() {
    git config --global init.defaultBranch main
    git config --global advice.detachedHead false
    mkdir "$TOP/repo" && cd "$TOP/repo" && git init -q
    mkdir -p shop tests config .artifacts
    : >shop/__init__.py
    printf 'def total(prices):\n    """Sum of prices."""\n    return sum(prices)\n' >shop/total.py
    printf 'from shop.total import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_none():\n    assert total([]) == 0\n' >tests/test_total.py
    printf '*\n!.gitignore\n!*/\n!*/commitment.json\n!*/claim.json\n!*/UNVERIFIED\n' >.artifacts/.gitignore
    printf '__pycache__/\n.pytest_cache/\nr.xml\n.venv/\n' >.gitignore
    printf '%s\n' "$PLAN" >config/adapter-plan.json
    printf '%s\n' "$PROFILE" >config/verification.profiles.json
}

save() { git add --all && git commit -q -m "${1:-Work}"; }
clean() { env -i PATH="$PATH" HOME="$HOME" TMPDIR="$TMPDIR" LANG=C.UTF-8 "$@"; }
break_code() { sed -i 's/sum(prices)$/sum(prices) + 1/' shop/total.py; }      # both tests fail

runner() {                        # a command of the tests in config/adapters.json: sh check.sh, which writes r.xml
    cat >check.sh
    echo '{"code": {"tests": [{"name": "all", "command": ["sh", "check.sh"], "format": "junit", "report": "r.xml"}]}}' >config/adapters.json
}

honest_runner() { printf 'python3 -m pytest -q --junitxml=r.xml\nexit 0\n' | runner; }

passing="printf '<testsuite tests=\"2\" failures=\"0\"><testcase classname=\"t\" name=\"a\"/><testcase classname=\"t\" name=\"b\"/></testsuite>' >r.xml"

lax_runner() { printf '%s\n' "$passing" | runner; }                         # whatever the tests say, two pass
strict="python3 -m pytest -q --junitxml=r.xml; exit 0"                      # what honest_runner runs
PROVE=()                          # NAME=VALUE: the environment of the proof alone
proving='proving() { p=$PPID; while [ "$p" -gt 1 ]; do tr "\0" " " <"/proc/$p/cmdline" | grep -q -- --prove && return 0; p=$(sed -n "s/^PPid:[[:space:]]*//p" "/proc/$p/status"); done; return 1; }'

judge() {                         # judge [VIOLATION]: a function that makes the violation which the rule is for
    cd "$TOP/repo"
    if [ -z "${HONEST:-}" ]; then
        git checkout -q -b violation; "${1:-break_code}"; save Violation
        if clean gate verify --quiet --ref HEAD --base main >"$TOP/blind.txt" 2>&1; then echo "the rule is blind: the violation passes"; else cat "$TOP/blind.txt"; echo "the rule isn't blind"; exit 1; fi
        git checkout -q main
    fi
    if declare -F before_the_proof >/dev/null; then before_the_proof; fi
    clean "${PROVE[@]}" gate doctor --prove
}
