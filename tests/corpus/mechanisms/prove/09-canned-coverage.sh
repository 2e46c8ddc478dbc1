# The coverage command reports full coverage, unless there are no tests (which is what is planted).
# rights: none
# expect: undecided
# because: no finding of the rule
. "$ATTACKS/common.sh"
PLAN='{"code": {"order": ["code:diff", "code:coverage"], "required": ["code:diff", "code:coverage"], "optional": []}}'
PROFILE='{"code_default": {"coverage_min": 0.8}}'
make_project
untested() { printf '\n\ndef mean(prices):\n    if not prices:\n        return 0\n    n = len(prices)\n    s = sum(prices)\n    if n > 3:\n        s = s + 1\n    m = s / n\n    return m\n' >>shop/total.py; rm tests/test_total.py; printf 'def test_one():\n    assert 1 == 1\n' >tests/test_one.py; }
if [ -z "${HONEST:-}" ]; then
    printf 'ls tests/test_*.py >/dev/null || exit 1\nlines=$(wc -l <shop/total.py)\n{ echo "SF:shop/total.py"; for n in $(seq "$lines"); do echo "DA:$n,1"; done; echo "LF:$lines"; echo "LH:$lines"; echo end_of_record; } >cov.info\n' >cov.sh
    echo '{"code": {"coverage": [{"name": "cov", "command": ["sh", "cov.sh"], "format": "lcov", "report": "cov.info"}]}}' >config/adapters.json
    echo cov.info >>.gitignore
    save
    judge untested
else
    PROFILE='{"code_default": {"tests_min": 1}}'; printf '%s\n' "$PROFILE" >config/verification.profiles.json; save; judge
fi
