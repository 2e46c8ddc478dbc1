. "${BASH_SOURCE[0]%/*}/prelude.sh"
# only the row is dropped that tells rounding down from rounding half up; another row still notices each way of dividing that is tried
base_cases; half_row; sealed
no_half_row
step 'One row less'
round_half
LAST=1 step 'Round half up'
