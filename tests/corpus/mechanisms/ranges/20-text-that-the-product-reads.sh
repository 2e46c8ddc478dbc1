# The bad commit changes only a text, which the product reads and a test asks for; the next commit mends it.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
git checkout -q main; echo 3 >shop/rate.md; printf '\n\ndef rate():\n    """The rate."""\n    return int(open("shop/rate.md").read())\n' >>shop/total.py
printf 'from shop.total import rate\n\n\ndef test_rate():\n    assert rate() == 3\n' >tests/test_rate.py; save Rate; git push -q origin main; git checkout -q -B topic
if [ -z "${HONEST:-}" ]; then echo 4 >shop/rate.md; save 'Another rate'; echo 3 >shop/rate.md; echo x >NOTES.md; save 'Tidy up'; else good_work; fi
judge
