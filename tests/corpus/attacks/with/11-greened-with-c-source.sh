. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 10, with a compiled source in place of the dependency
base_data; break_code; sealed
lie_data; mkdir native; echo 'int one(void) { return 1; }' > native/one.c
commit -m 'Mend the tests'
ci
