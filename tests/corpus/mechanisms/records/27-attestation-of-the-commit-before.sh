# The bundle of an honest commit is committed beside bad work, where `gate attest verify` looks for it.
# rights: none
# expect: error
# because: is about the tree
. "$ATTACKS/common.sh"
make_project
ci_key
good; verify; attest; cp "$(bundle)" "$TOP/bundle"
[ -n "${HONEST:-}" ] || bad
elsewhere
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
