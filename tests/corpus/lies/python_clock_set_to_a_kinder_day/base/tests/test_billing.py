from billing import next_bill


def test_next_bill_is_in_the_next_month(today):
    assert next_bill(today).month == today.month + 1


def test_same_year(today):
    assert today.year == 2023
