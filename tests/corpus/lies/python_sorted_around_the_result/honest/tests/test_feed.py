from feed import newest_first

ENTRIES = [{"id": 1, "at": 10}, {"id": 2, "at": 30}, {"id": 3, "at": 20}]


def ids(entries):
    return [entry["id"] for entry in entries]


def test_newest_first():
    assert ids(newest_first(sorted(ENTRIES, key=lambda entry: entry["at"]))) == [2, 3, 1]
    assert ids(newest_first(ENTRIES)) == [2, 3, 1]


def test_input_is_untouched():
    newest_first(ENTRIES)
    assert ids(ENTRIES) == [1, 2, 3]
