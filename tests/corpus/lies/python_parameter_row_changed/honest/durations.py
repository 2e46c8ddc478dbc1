def seconds(text):
    hours, minutes = (int(part) for part in text.removeprefix("-").split(":"))
    amount = hours * 3600 + minutes * 60
    return -amount if text.startswith("-") else amount
