# The command fails where the change is the present commit itself, so that the trial without a plant doesn't hold: each rule is "unproven" and the exit code 0.
# rights: none
# expect: error
# because: unproven
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    printf 'if git diff --cached --quiet; then printf "<testsuite tests=\\"1\\" failures=\\"1\\"><testcase classname=\\"t\\" name=\\"a\\"><failure message=\\"x\\"/></testcase></testsuite>" >r.xml; else %s; fi\nexit 0\n' "$passing" | runner
else honest_runner; fi
save
echo more >NOTES.md; save Notes
judge
