# A hook of one's own in pre-push.before-verigate reads all of the standard input, so that the gate behind it may see no refs.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
hooks
if [ -z "${HONEST:-}" ]; then
    printf '#!/bin/sh\ncat >/dev/null\nexec <&-\nexit 0\n' >.git/hooks/pre-push.before-verigate; chmod +x .git/hooks/pre-push.before-verigate
    mkdir .git/rebase-merge; break_code; save 'Speed up'; rmdir .git/rebase-merge
else good_work; fi
judge_push push -q origin topic
