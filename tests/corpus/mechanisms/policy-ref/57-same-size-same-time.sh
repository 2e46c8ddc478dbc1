# A file of the working tree is changed without another size or time; by core.trustctime and core.checkStat git's index takes it for unchanged.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
touch -d '2020-01-01' shop/total.py tests/test_total.py; git config core.trustctime false; git config core.checkStat minimal; git update-index --refresh; sleep 1; git status >/dev/null
if [ -z "${HONEST:-}" ]; then
    sed -i 's/return sum(prices)/return max(prices)/' shop/total.py; touch -d '2020-01-01' shop/total.py; echo notes >NOTES.md
else printf '\n\ndef mean(prices):\n    return sum(prices) / len(prices) if prices else 0\n' >>shop/total.py; fi
cd "$TOP/repo"
clean gate verify --quiet --policy-ref origin/main
