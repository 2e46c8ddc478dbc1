. "${BASH_SOURCE[0]%/*}/prelude.sh"
base_data; sealed
break_code; lie_data
commit -m 'Change the discount'
ci
