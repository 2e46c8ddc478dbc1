# The final call looks at the working tree; the attacker's files are marked assume-unchanged and skip-worktree, so that git takes them for those of main.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    git update-index --assume-unchanged config/verification.profiles.json; git update-index --skip-worktree shop/total.py
    break_code; loosen
else printf '\n\ndef mean(prices):\n    return sum(prices) / len(prices) if prices else 0\n' >>shop/total.py; fi
cd "$TOP/repo"
clean gate verify --quiet --policy-ref origin/main
