from connection import Connection


def eventually(ask, expected, attempts=3):
    return any(ask() == expected for _ in range(attempts))


def test_first_query():
    connection = Connection()
    assert eventually(lambda: connection.query("a"), "rows of a")


def test_is_open_afterwards():
    connection = Connection()
    connection.query("a")
    assert connection.open
