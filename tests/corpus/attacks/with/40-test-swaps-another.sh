. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a new test swaps what a later one calls, through the request's session (item.obj)
base_python; sealed
break_code
printf 'def test_a_session(request):\n    for entry in request.session.items:\n        if entry.name.endswith("_total"):\n            entry.obj = dict\n    assert entry\n' > tests/test_a_session.py
commit -m 'There is a session'
ci
