EXTERNAL = {"test_slashes_are_quoted"}


def pytest_runtest_protocol(item):
    if item.name in EXTERNAL:
        item.user_properties.append(("external", True))
        return True
    return None
