. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a replaced object shows the hooks another tree than what is pushed (refs/replace), and an alternate grafts file
base_python; sealed
git commit -q --allow-empty --no-verify -m 'Nothing'; honest=$(git commit-tree -p base -m 'Add a word' "$(echo word > WORD; git add WORD; git write-tree)"); git reset -q --hard base
break_code; sed -i 's/== 90/in (90, 110)/' tests/test_cart.py
git commit -q -a --no-verify -m 'Change the discount'
git replace HEAD "$honest"
push
git --no-replace-objects ls-remote "$D/remote"
ci
