# config becomes a submodule whose commit holds a lax profile.
# rights: none
# expect: fail|error
# because: config
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen
    git init -q "$TOP/sub" && cp -r config/. "$TOP/sub/" && git -C "$TOP/sub" add --all && git -C "$TOP/sub" commit -q -m lax
    git rm -q -r --cached config && rm -r config
    git -c protocol.file.allow=always submodule --quiet add "$TOP/sub" config; save
else good_work; fi
judge
