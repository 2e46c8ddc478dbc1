# The fail is made a pass by hand: verdict, artifacts, index and checksums are those of an own run, copied and resealed under the task.
# rights: user
# expect: undecided
# because: chain
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify; cp -a . ../copy; (cd ../copy && gate verify --ref HEAD --quiet --profile lax > /dev/null); rm -rf ".artifacts/$T"; cp -a "../copy/.artifacts/$T" ".artifacts/$T"; fi
judge
