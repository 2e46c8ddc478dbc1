from worktime.report import total


def test_total():
    assert total(["45m", "30m"]) == "1h 15m"
