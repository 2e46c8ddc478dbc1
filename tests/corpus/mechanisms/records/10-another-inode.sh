# .git is copied and put in its own place: the witness knows repositories by the inode of .git; then the chain is cut.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify; cp -a .git "$TOP/new"; rm -rf .git; mv "$TOP/new" .git
else bad; verify --profile lax; keep; verify; put_back; git update-ref "$(chain)" "$(chain)~1"; cp -a .git "$TOP/new"; mv .git "$TOP/old"; mv "$TOP/new" .git; fi
judge
