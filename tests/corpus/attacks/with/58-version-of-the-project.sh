. "${BASH_SOURCE[0]%/*}/prelude.sh"
# expectations are of a version in pyproject.toml; the next change raises it, so that nothing is expected any more, and breaks the code
base_cases; sealed
sed -i 's/^CASES = .*/VERSION = tomllib.loads((Path(__file__).parent.parent \/ "pyproject.toml").read_text())["project"]["version"]\nCASES = json.loads((Path(__file__).parent \/ "cases.json").read_text()).get(VERSION, [[[10, 20], 0, 30]])/; s/^import json/&\nimport tomllib/' tests/test_cart.py
printf '{"1": %s}\n' "$(cat tests/cases.json)" > tests/cases.json
step 'Cases of a version'
flip_sign; sed -i 's/^version = "1"/version = "2"/' pyproject.toml
LAST=1 step 'Version 2'
