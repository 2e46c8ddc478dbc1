# The folder of the task is a link to that of another repository, where the same commit passed by laxer rules.
# rights: user
# expect: undecided|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify; git clone -q . ../other; (cd ../other && gate verify --ref HEAD --quiet --profile lax > /dev/null); rm -rf ".artifacts/$T"; ln -s "$TOP/other/.artifacts/$T" ".artifacts/$T"; fi
judge
