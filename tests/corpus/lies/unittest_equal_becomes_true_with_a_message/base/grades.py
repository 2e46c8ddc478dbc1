def grade(points):
    for limit, name in ((90, "A"), (75, "B"), (60, "C")):
        if points >= limit:
            return name
    return "F"
