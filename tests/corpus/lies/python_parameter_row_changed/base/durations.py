def seconds(text):
    sign = -1 if text.startswith("-") else 1
    hours, minutes = text.lstrip("-").split(":")
    return sign * (int(hours) * 3600 + int(minutes) * 60)
