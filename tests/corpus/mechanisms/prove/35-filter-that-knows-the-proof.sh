# A smudge filter in .git/info/attributes writes a strict command into checkouts while a proof runs.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
{ echo '#!/bin/bash'; echo "$proving"; printf 'if proving; then cat >/dev/null; echo "%s"; else cat; fi\n' "$strict"; } >"$TOP/smudge"
chmod +x "$TOP/smudge"
echo 'check.sh filter=mine' | tee .git/info/attributes >"$HOME/attributes"
git config --global core.attributesFile "$HOME/attributes"
git config --global filter.mine.smudge "$TOP/smudge"; git config --global filter.mine.clean cat; git config --global filter.mine.required true
judge
