LIMITS = {"A": 90, "B": 75, "C": 60}


def grade(points):
    return next((name for name, limit in LIMITS.items() if points >= limit), "F")
