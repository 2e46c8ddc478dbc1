import datetime


def age(born):
    """Return the age in full years."""
    today = datetime.date.today()
    if born > today:
        raise ValueError("not born yet")
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def of_age(born, limit=18):
    return age(born) >= limit
