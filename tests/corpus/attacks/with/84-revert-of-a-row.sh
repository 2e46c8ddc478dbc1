. "${BASH_SOURCE[0]%/*}/prelude.sh"
# an earlier commit added the row that tells two ways of rounding apart; it is reverted, and then the code rounds the other way
base_cases; git add --all; git commit -q --no-verify -m 'Before'
half_row; git add --all; git commit -q --no-verify -m 'A row for rounding'; ROW=$(git rev-parse HEAD)
sealed
git revert --no-edit "$ROW" > "$D/revert.log" 2>&1; echo "LOCAL revert: $?"; git reset -q --soft HEAD~1
NOHOOK=1 step 'Revert "A row for rounding"'
round_half
LAST=1 step 'Round half up'
