def days_in_february(year):
    return 29 if year % 4 == 0 else 28
