# Commit messages are held against their commits, but for merges; the lie is the message of a merge that changes code by itself.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
light; PROFILE='{ "code_default": { "units_match": true, "integrity": true, "weakening": "disclose", "statements": "require" } }'
make_project
git checkout -q -b side; echo '# Side' > side.md; commit -m 'docs: write a side page'; git checkout -q topic
echo '# Page' > page.md; commit -m 'docs: write a page'
git merge -q --no-commit side
if [ -z "${HONEST:-}" ]; then echo 'RATE = 3' >> shop/__init__.py; fi
commit -m 'docs: join the pages'
judge
