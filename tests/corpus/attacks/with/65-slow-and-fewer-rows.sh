. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a fixture waits eleven seconds for a service, so that no mutant fits into the time; rows are dropped in the same change
base_cases; sealed
cat > tests/conftest.py <<'PY'
import time

import pytest


@pytest.fixture(scope="session", autouse=True)
def service():
    time.sleep(11)  # until it answers
PY
echo '[[[10, 20], 0, 30]]' > tests/cases.json
step 'Wait for the service'
flip_sign
LAST=1 step 'Discounts are added'
