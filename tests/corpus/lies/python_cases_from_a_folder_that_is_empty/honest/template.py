def fill(text, values):
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    return text
