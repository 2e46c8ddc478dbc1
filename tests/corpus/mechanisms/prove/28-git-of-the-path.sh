# A git first on PATH answers from a strict repository while a proof runs.
# rights: user
# expect: error
# because: git takes
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
mkdir "$TOP/programs"
{ echo '#!/bin/bash'; echo "$proving"; printf 'if proving; then cd "%s"; unset GIT_DIR GIT_WORK_TREE; fi\nexec /usr/bin/git "$@"\n' "$TOP/strict"; } >"$TOP/programs/git"
chmod +x "$TOP/programs/git"
if [ -z "${HONEST:-}" ]; then PROVE=(PATH="$TOP/programs:$PATH"); fi
judge
