# Credentials of cargo, gem, pypi, npm and uv lie in the folders that the sandbox shows of a home; a test reads what it can.
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
    places = {Path(folder).parent / "home" for folder in os.environ["PATH"].split(":")} | {Path("/root")}
    for path in [one for place in places if place != Path('/root') for one in place.rglob('*') if one.is_file() and one.stat().st_size < 1000]:
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
  mkdir -p ~/.cargo ~/.npm/_logs ~/.local/share/uv/credentials ~/.gem ~/.bundle; echo "token = \"token-5f1d\"" > ~/.cargo/credentials.toml; cp ~/.cargo/credentials.toml ~/.cargo/credentials; echo "npm token-5f1d" > ~/.npmrc; echo "token-5f1d" > ~/.local/share/uv/credentials/credentials.toml; echo "token-5f1d" > ~/.gem/credentials; echo "token-5f1d" > ~/.bundle/config; echo "token-5f1d" > ~/.pypirc
fi
judge
