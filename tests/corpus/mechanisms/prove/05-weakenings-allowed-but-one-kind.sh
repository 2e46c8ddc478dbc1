# The profile allows every weakening but a removed test, which is the only one that is planted.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
PLAN='{"code": {"order": ["code:diff", "code:integrity", "code:tests"], "required": ["code:diff", "code:integrity", "code:tests"], "optional": []}}'
PROFILE='{"code_default": {"tests_pass": true, "tests_min": 1, "integrity": true, "weakening": "disclose"}}'
skip_tests() { sed -i '1i import pytest\n' tests/test_total.py; sed -i 's/^def test_total/@pytest.mark.skip\ndef test_total/' tests/test_total.py; }
if [ -z "${HONEST:-}" ]; then PROFILE='{"code_default": {"tests_pass": true, "tests_min": 1, "integrity": true, "weakening": {"default": "allow", "test_removed": "refuse", "lost": "refuse"}}}'; fi
make_project
save
judge skip_tests
