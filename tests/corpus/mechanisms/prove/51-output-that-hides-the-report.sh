# The command floods its output with 300 MB before it says that all passed.
# rights: none
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then printf 'head -c 300000000 /dev/zero | tr "\\0" x\n%s\nexit 0\n' "$passing" | runner; else honest_runner; fi
save
judge
