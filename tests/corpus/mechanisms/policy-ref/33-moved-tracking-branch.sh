# origin/main is moved to a lax commit by hand, and the final call comes without a fetch.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save; git update-ref refs/remotes/origin/main HEAD
else good_work; fi
cd "$TOP/repo"
clean gate verify --quiet --ref HEAD --base "$MAIN" --policy-ref origin/main
