def seconds(text):
    hours, minutes = (int(part) for part in text.split(":"))
    return hours * 3600 + minutes * 60
