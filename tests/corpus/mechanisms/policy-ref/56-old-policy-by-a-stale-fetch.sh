# main was lax once; .git/packed-refs and the reflog still know it. The attacker blocks the fetch (a lock file) and leaves origin/main where it was lax.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git checkout -q main; cp config/verification.profiles.json "$TOP/strict.json"; loosen; save lax; lax=$(git rev-parse HEAD); git push -q origin main
cp "$TOP/strict.json" config/verification.profiles.json; save strict; git push -q origin main; git fetch -q; MAIN=$(git rev-parse main)
git checkout -q -B topic
if [ -z "${HONEST:-}" ]; then
    break_code; save; git update-ref refs/remotes/origin/main "$lax"; : >.git/refs/remotes/origin/main.lock
else good_work; fi
judge_here
