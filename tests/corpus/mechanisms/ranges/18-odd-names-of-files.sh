# The bad test has a newline in its name, and beside it lie files that are called like options and pathspecs of git (":(exclude)*", "--cached").
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    printf 'def test_it():\n    assert 1 == 2\n' >"tests/test_
it.py"; : >':(exclude)*'; : >'--cached'; : >"$(printf 'tests/\377.py')"; git add --all -- . 2>/dev/null || git add .; git commit -q -m 'Work'
    git rm -q -- "tests/test_
it.py"; git commit -q -m 'Tidy up'
else good_work; fi
judge
