# The tree that is signed is without .artifacts; if a folder of that name further down were left out too, code could be changed in it after the approval.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
mkdir -p lib/.artifacts; printf "RATE = 1\n" > lib/.artifacts/rate.py; loosen; git add --force --all; git reset -q .artifacts 2> /dev/null || true; git commit -q -m Work
put alice "$LOOSEN"; git add --force .artifacts/.approvals; git commit -q -m Approval
if [ -z "${HONEST:-}" ]; then printf "RATE = 0\n" > lib/.artifacts/rate.py; git add --force lib; git commit -q -m More; fi
judge_ci
