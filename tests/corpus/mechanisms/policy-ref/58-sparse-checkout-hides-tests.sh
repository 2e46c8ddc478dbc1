# A sparse checkout leaves the policy and the tests out of the working tree, and new files of the same paths are written there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    git sparse-checkout set --no-cone '/shop/' '/.gitignore' >/dev/null 2>&1
    break_code; mkdir -p config tests; echo '{"code_default": {"tests_min": 0, "tests_pass": false}}' >config/verification.profiles.json
    printf 'def test_total():\n    pass\n' >tests/test_total.py
else printf '\n\ndef mean(prices):\n    return sum(prices) / len(prices) if prices else 0\n' >>shop/total.py; fi
cd "$TOP/repo"
clean gate verify --quiet --policy-ref origin/main
