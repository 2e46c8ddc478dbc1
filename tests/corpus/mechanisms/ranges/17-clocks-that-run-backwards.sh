# Committer dates run backwards by decades, so that a walk by date meets the ends of the range in the wrong order.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; git add --all; GIT_COMMITTER_DATE='2090-01-01T00:00:00Z' git commit -q -m 'Speed up'; mend_code; echo x >NOTES.md; git add --all; GIT_COMMITTER_DATE='1990-01-02T00:00:00Z' git commit -q -m 'Tidy up'
    for n in 1 2 3 4 5 6 7; do GIT_COMMITTER_DATE="1990-01-01T00:00:0${n}Z" git commit -q --allow-empty -m "Step $n"; done
else good_work; fi
judge
