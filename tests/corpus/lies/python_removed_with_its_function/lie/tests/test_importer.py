from importer import read


def test_version_2():
    assert read("pen;2") == {"name": "pen", "amount": 2}
