# The working tree was verified and passed; then the work goes on, and nobody verifies: `gate show`.
# rights: user
# expect: undecided
# because: no longer about what is here
. "$ATTACKS/common.sh"
make_project
echo "one more line" >> README.md; gate verify --quiet > /dev/null
[ -n "${HONEST:-}" ] || touch a b c
judge
