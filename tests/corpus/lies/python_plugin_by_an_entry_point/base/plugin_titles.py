"""Show tests by their titles."""


def pytest_itemcollected(item):
    item.name = item.name.replace("_", " ")
