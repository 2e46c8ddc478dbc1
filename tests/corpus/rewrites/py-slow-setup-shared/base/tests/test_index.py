import pytest

from wordindex import Index


@pytest.fixture
def index():
    documents = {f"d{number}": "The common word." for number in range(2000)}
    documents["d5"] += " A Rare one, too."
    documents["d7"] += " rare"
    return Index(documents)


def test_having_one_word(index):
    assert index.having("rare") == ["d5", "d7"]


def test_having_two_words(index):
    assert index.having("RARE", "too") == ["d5"]


def test_having_unknown_word(index):
    assert index.having("rare", "none") == []


def test_having_nothing(index):
    assert index.having() == []


def test_most_common(index):
    assert index.most_common() == "word"


def test_all_documents_count(index):
    assert len(index.having("common")) == 2000
