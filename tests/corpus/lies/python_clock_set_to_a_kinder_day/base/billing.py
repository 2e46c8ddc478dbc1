def next_bill(day):
    month = day.month % 12 + 1
    return day.replace(year=day.year + (month == 1), month=month)
