# A strict repository at the same path was proved just before; names, sizes and times of its files are the same.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
honest_runner
save
if [ -z "${HONEST:-}" ]; then
    touch -d '2026-01-01' check.sh config/*; cp -a "$TOP/repo" "$TOP/strict"
    size=$(stat -c %s check.sh); echo "$passing" >check.sh; test "$(stat -c %s check.sh)" -ge "$size"
    truncate -s "$(stat -c %s check.sh)" "$TOP/strict/check.sh"; (cd "$TOP/strict"; tr '\0' '\n' <check.sh >c; mv c check.sh; touch -d '2026-01-01' check.sh; git commit -q -a --amend -m Work)
    touch -d '2026-01-01' check.sh; git commit -q -a --amend -m Work
    before_the_proof() {
        cd "$TOP"; mv repo lax; mv strict repo; (cd repo; clean gate doctor --prove) >"$TOP/first.txt"
        mv repo strict; mv lax repo; cd repo
    }
fi
judge
