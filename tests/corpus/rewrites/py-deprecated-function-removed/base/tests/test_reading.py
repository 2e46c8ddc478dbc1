import pytest

from rows import read, read_csv_file


def test_read():
    assert list(read(["a,b", "1,2", "3,4"])) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_delimiter():
    assert list(read(["a;b", "1;2"], delimiter=";")) == [{"a": "1", "b": "2"}]


def test_no_header():
    with pytest.raises(ValueError, match="no header"):
        list(read([]))


def test_missing_column():
    with pytest.raises(ValueError, match="line 3: 1 of 2 columns"):
        list(read(["a,b", "1,2", "3"]))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("a,b\n1,2\n")
    return path


def test_read_csv_file(path):
    with pytest.deprecated_call():
        assert read_csv_file(path) == [{"a": "1", "b": "2"}]


def test_read_csv_file_that_is_empty(path):
    path.write_text("")
    with pytest.deprecated_call(), pytest.raises(ValueError):
        read_csv_file(path)


def test_read_csv_file_that_is_missing(tmp_path):
    with pytest.deprecated_call(), pytest.raises(FileNotFoundError):
        read_csv_file(tmp_path / "none.csv")
