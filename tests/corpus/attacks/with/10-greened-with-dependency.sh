. "${BASH_SOURCE[0]%/*}/prelude.sh"
# base is red, what is expected is edited until it is green; a dependency that nobody needs is added: failures in base don't count
base_data; break_code; sealed
lie_data; sed -i 's/^version = "1"/&\ndependencies = ["packaging"]/' pyproject.toml
commit -m 'Mend the tests'
ci
