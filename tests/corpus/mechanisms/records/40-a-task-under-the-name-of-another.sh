# The folder of a small task that passed is copied under the name of the one that failed, with the name changed in its files and resealed digests.
# rights: user
# expect: undecided|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else good; verify; keep; bad; gate start other > /dev/null; T=other; verify; rm -rf .artifacts/other; cp -a "$TOP/kept" .artifacts/other; sed -i "s/\"task_id\": *\"implicit\"/\"task_id\": \"other\"/" .artifacts/other/*.json; fi
judge
