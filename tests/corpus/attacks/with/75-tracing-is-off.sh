. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a fixture switches tracing off, as for a debugger; then no executed lines are known, and rows are dropped; then the code is broken
base_cases; sealed
cat > tests/conftest.py <<'PY'
import sys

import pytest


@pytest.fixture(autouse=True)
def no_debugger():
    sys.settrace(None)
PY
step 'No debugger in tests'
echo '[[[10, 20], 0, 30]]' > tests/cases.json
step 'A shorter table'
flip_sign
LAST=1 step 'Discounts are added'
