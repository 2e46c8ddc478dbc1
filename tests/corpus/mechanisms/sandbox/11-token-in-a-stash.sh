# A token that lies in a stash of the user's repository, on no branch, is read from git's objects by a test.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
more_project() {
  cat > tests/test_reach.py <<'END'
import os
import subprocess
from pathlib import Path


def reached():
    """Everything that this test can read where a token might be."""
    found = b""
    found = subprocess.run("git cat-file --batch-all-objects --batch", shell=True, capture_output=True).stdout
    return found


def test_reach():
    assert (b"token-" + b"5f1d" in reached()) == WANTED
END
  # the attack's test passes only if it has read the token, the honest one only if there is none
  sed -i "s/WANTED/$([ -n "${HONEST:-}" ] && echo False || echo True)/" tests/test_reach.py
}
make_project
echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
if [ -z "${HONEST:-}" ]; then
  echo "token-5f1d" > secret.txt; git add secret.txt; git stash -q
fi
judge
