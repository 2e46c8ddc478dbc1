def normalise(text):
    return text.strip().title()


def label(name, city):
    return f"{name}, {normalise(city)}"
