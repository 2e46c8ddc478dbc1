# The failed task is ended with `gate end --remove`, which is said to leave no note; then the folder of the earlier pass is put back.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
T=notes; gate start notes > /dev/null; good; gate claim notes file:README.md > /dev/null
if [ -n "${HONEST:-}" ]; then gate verify notes --quiet > /dev/null
else gate verify notes --quiet > /dev/null; keep; bad; gate verify notes --quiet > /dev/null || true; gate end --remove notes > /dev/null; git reset -q --hard HEAD~1; put_back; fi
judge
