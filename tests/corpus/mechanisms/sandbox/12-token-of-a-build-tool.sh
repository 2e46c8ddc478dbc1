# A token in the user's settings of Gradle, whose folder the sandbox shows, is read by a test of a Python project.
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
    for path in [one for place in places for one in place.glob('.gradle/*.properties')]:
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
  mkdir -p ~/.gradle; echo "publishToken=token-5f1d" > ~/.gradle/gradle.properties
fi
judge
