# The commit was never verified here: the folder comes from a clone where a laxer profile counted.
# rights: user
# expect: undecided
# because: in no chain
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; git clone -q . ../other; (cd ../other && gate verify --ref HEAD --quiet --profile lax > /dev/null); mkdir -p .artifacts; cp -a "../other/.artifacts/$T" .artifacts/; fi
judge
