# Commit messages are held against their commits; the lie is in the oldest of 21 commits.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
light; PROFILE='{ "code_default": { "units_match": true, "integrity": true, "weakening": "disclose", "statements": "require" } }'
make_project
if [ -n "${HONEST:-}" ]; then echo '# Prices' > prices.md; commit -m 'docs: describe prices'; else echo 'RATE = 3' >> shop/__init__.py; commit -m 'docs: describe prices'; fi
for n in $(seq 20); do echo "# Page $n" > "page$n.md"; commit -m "docs: write page $n"; done
judge
