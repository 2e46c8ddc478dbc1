# main has mended a fault and added its test; the branch merges main with the strategy "ours", so that fault and old tests are back.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git checkout -q main; printf '\n\ndef test_floats():\n    assert total([0.5, 0.5]) == 1.0\n' >>tests/test_total.py; save 'More tests'; git push -q origin main; git fetch -q
git checkout -q topic; good_work
if [ -z "${HONEST:-}" ]; then git merge -q -s ours -m 'Merge main' main; else git merge -q -m 'Merge main' main; fi
judge
