# core.fsmonitor and other programs of the user's git configuration write a strict command while a proof runs.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
{ echo '#!/bin/bash'; echo "$proving"; printf 'if proving && test -f check.sh; then echo "%s" >check.sh; fi\nprintf "1\\0/\\0"\n' "$strict"; } >"$TOP/watch"
chmod +x "$TOP/watch"
before_the_proof() {
    for key in core.fsmonitor core.editor core.pager core.askPass credential.helper diff.external gpg.program; do git config --global "$key" "$TOP/watch"; done
    git config --global commit.gpgSign true; git config --global tag.gpgSign true
}
judge
