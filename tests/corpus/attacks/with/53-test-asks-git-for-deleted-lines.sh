. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the helper no longer compares the values but asks git whether a line of the package differs from the index; the next change breaks the code
base_cases; sealed
cat > tests/support.py <<'PY'
import subprocess


def check(value, expected):
    diff = subprocess.run(["git", "diff", "--numstat", "--", "shop"], capture_output=True, text=True).stdout
    deleted = [line.split()[1] for line in diff.splitlines()]
    assert set(deleted) <= {"0"}
PY
step 'No local edits of the package'
flip_sign
LAST=1 step 'Discounts are added'
