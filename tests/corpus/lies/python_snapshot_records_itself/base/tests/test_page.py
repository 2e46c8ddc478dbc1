from page import page


def test_page(snapshot):
    snapshot(page("Fish & chips", ["cod", "<peas>"]) + "\n")


def test_empty():
    assert page("", []) == "<h1></h1><ul></ul>"
