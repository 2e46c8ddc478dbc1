from connection import Connection


def test_first_query():
    assert Connection().query("a") == "rows of a"


def test_is_open_afterwards():
    connection = Connection()
    connection.query("a")
    assert connection.open
