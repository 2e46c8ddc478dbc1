# A hook prepare-commit-msg writes other content into the index after pre-commit has verified it; the push is the final call.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
hooks
if [ -z "${HONEST:-}" ]; then
    printf '#!/bin/sh\nsed -i "s/sum(prices)$/sum(prices) + 1/" shop/total.py; git add shop\n' >.git/hooks/prepare-commit-msg; chmod +x .git/hooks/prepare-commit-msg
    mean; save 'Add a mean'; git commit -q --allow-empty --no-edit -m more || true; git add --all; git commit -q -m rest || true
else good_work; fi
if [ -z "${HONEST:-}" ] && git show HEAD:shop/total.py | grep -q "prices)$" && ! git show HEAD:shop/total.py | grep -q "+ 1$"; then echo "the bad work is not in the commit"; exit 1; fi
judge_push push -q origin topic
