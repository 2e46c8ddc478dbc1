# main was lax once and is strict now; the branch starts at the lax commit, so that base and subject both have the old policy.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
git checkout -q main; cp config/verification.profiles.json "$TOP/strict.json"; loosen; save lax; lax=$(git rev-parse HEAD)
cp "$TOP/strict.json" config/verification.profiles.json; save strict; git push -q origin main; git fetch -q
git checkout -q -B topic "$lax"
if [ -z "${HONEST:-}" ]; then break_code; save; else git reset -q --hard main; good_work; fi
judge
