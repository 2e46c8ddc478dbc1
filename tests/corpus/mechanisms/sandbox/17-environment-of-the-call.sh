# The final call has tokens in its environment, as CI jobs have; a test looks for them in its own environment, that of all processes, and in what the adapter was given.
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
    found = str(dict(os.environ)).encode()
    for path in Path('/proc').glob('[0-9]*/environ'):
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
  set -- env DEPLOY_TOKEN=token-5f1d ACTIONS_RUNTIME_TOKEN=token-5f1d GEMINI_API_KEY=token-5f1d VERIGATE_TOKEN=token-5f1d
fi
clean "$@" gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet
