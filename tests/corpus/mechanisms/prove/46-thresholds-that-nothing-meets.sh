# Each rule is active with a threshold that no small change passes: one skipped test, a function without a test are within it.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
skip_one() { sed -i '1i import pytest\n' tests/test_total.py; sed -i 's/^def test_total/@pytest.mark.skip\ndef test_total/' tests/test_total.py; }
make_project
if [ -z "${HONEST:-}" ]; then echo '{"code_default": {"tests_pass": true, "tests_min": 1, "skipped_max": 1, "coverage_min": 0.01, "coverage_drop_max": 0.99}}' >config/verification.profiles.json
else echo '{"code_default": {"tests_pass": true, "tests_min": 1, "skipped_max": 0}}' >config/verification.profiles.json; fi
save
judge skip_one
