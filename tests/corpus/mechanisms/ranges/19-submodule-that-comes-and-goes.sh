# One commit replaces the folder of the code by a submodule, the next brings the folder back: what lies in the submodule is never looked at.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    git init -q "$TOP/sub" && cp -r shop/. "$TOP/sub/" && sed -i 's/sum(prices)$/0/' "$TOP/sub/total.py" && git -C "$TOP/sub" add --all && git -C "$TOP/sub" commit -q -m lax
    git rm -q -r --cached shop && rm -r shop && git -c protocol.file.allow=always submodule --quiet add "$TOP/sub" shop; save 'Use the library'
    git rm -q -f shop .gitmodules; git checkout -q main -- shop; echo x >NOTES.md; save 'Tidy up'
else good_work; fi
judge
