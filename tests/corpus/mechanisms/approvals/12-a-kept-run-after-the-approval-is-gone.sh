# The hook's run passed with an approval; Alice takes it back. Within the hour the run that passed is still kept, and `gate verify` may take a hook's run.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
gate install > /dev/null
loosen; gate verify --quiet > /dev/null || true; approves alice
git add --all; git commit -q -m 'Disclose what is weakened' > "$TOP/hook.txt" 2>&1 || { cat "$TOP/hook.txt"; exit 9; }
if [ -z "${HONEST:-}" ]; then
  gate approve --revoke "$(gate approve --list | cut -d' ' -f1)" > /dev/null
  git rm -q -r --cached .artifacts/.approvals 2> /dev/null || true; git commit -q --no-verify --amend -m 'Disclose what is weakened'; rm -rf .artifacts/.approvals
fi
judge
