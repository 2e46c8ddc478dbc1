# The user's git configuration rewrites the address of the remote to a copy whose main is lax; a fetch before the final call brings that.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save
    git clone -q --bare "$TOP/remote.git" "$TOP/copy.git"; git push -q "$TOP/copy.git" topic:main
    git config --global "url.$TOP/copy.git.insteadOf" "$TOP/remote.git"
else good_work; fi
judge_here
