import pytest

from rows import read


def test_read():
    assert list(read(["a,b", "1,2", "3,4"])) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_read_open_file(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("a,b\n1,2\n")
    with path.open(newline="") as file:
        assert list(read(file)) == [{"a": "1", "b": "2"}]


def test_delimiter():
    assert list(read(["a;b", "1;2"], delimiter=";")) == [{"a": "1", "b": "2"}]


def test_no_header():
    with pytest.raises(ValueError, match="no header"):
        list(read([]))


def test_missing_column():
    with pytest.raises(ValueError, match="line 3: 1 of 2 columns"):
        list(read(["a,b", "1,2", "3"]))
