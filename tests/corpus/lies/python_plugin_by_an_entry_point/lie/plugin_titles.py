"""Show tests by their titles."""

SLOW = {"test no shots"}


def pytest_itemcollected(item):
    item.name = item.name.replace("_", " ")


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.name not in SLOW]
