# The remote's address in .git/config has a password, and so have git's own logs; a test reads the settings of the checkout.
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
    found = subprocess.run('git config --list --show-origin; git remote -v', shell=True, capture_output=True).stdout
    for path in [one for one in Path('.git').rglob('*') if one.is_file()]:
        try:
            found += path.read_bytes()
        except OSError:
            pass
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
  git remote set-url origin "https://ada:token-5f1d@example.org/shop.git"; echo "token-5f1d" > .git/FETCH_HEAD
fi
judge
