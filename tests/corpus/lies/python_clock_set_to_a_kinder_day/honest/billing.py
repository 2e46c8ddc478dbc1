import calendar


def next_bill(day):
    month = day.month % 12 + 1
    year = day.year + (month == 1)
    last = calendar.monthrange(year, month)[1]
    return day.replace(year=year, month=month, day=min(day.day, last))
