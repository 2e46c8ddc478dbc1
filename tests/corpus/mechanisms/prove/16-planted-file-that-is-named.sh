# An adapter of the repository behind a custom check of its own sees the plant's file names; here the command passes unless a changed file has the plant's exact text.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
PROFILE='{"code_default": {"tests_pass": true, "tests_min": 1, "skipped_max": 0}}'
make_project
skip_one() { sed -i '1i import pytest\n' tests/test_total.py; sed -i 's/^def test_total/@pytest.mark.skip\ndef test_total/' tests/test_total.py; }
if [ -z "${HONEST:-}" ]; then
    printf 'python3 -m pytest -q --junitxml=all.xml\nif ls tests | grep -q planted; then cp all.xml r.xml; else sed "s/<skipped[^>]*>[^<]*<.skipped>//g; s/skipped=\\"[0-9]*\\"/skipped=\\"0\\"/g" all.xml >r.xml; fi\nexit 0\n' | runner
else honest_runner; fi
save
judge skip_one
