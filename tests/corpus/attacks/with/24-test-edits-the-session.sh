. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a new test takes another one out of the session that runs; no hook
base_python; sealed
break_code
printf 'def test_a_session(request):\n    queue = request.session.items\n    queue[:] = [entry for entry in queue if not entry.name.endswith("_total")]\n    assert queue\n' > tests/test_a_session.py
commit -m 'There is a session'
ci
