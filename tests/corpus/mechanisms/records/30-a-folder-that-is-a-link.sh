# The branch has a symbolic link .artifacts/release that leads to evidence of a pass in its documents.
# rights: none
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
T=release
if [ -n "${HONEST:-}" ]; then good; elsewhere; gate start release > /dev/null; gate end release > /dev/null; T=implicit; verify
else bad; gate verify --quiet --base HEAD~1 --profile lax > /dev/null; mkdir docs; cp -a .artifacts/implicit docs/evidence; sed -i "s/\"task_id\": *\"implicit\"/\"task_id\": \"release\"/" docs/evidence/*.json; ln -s ../docs/evidence .artifacts/release; git add --force docs .artifacts/release; git commit -q -m Docs; elsewhere; fi
judge
