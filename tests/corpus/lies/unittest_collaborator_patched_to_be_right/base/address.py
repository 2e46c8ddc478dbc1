def normalise(text):
    return " ".join(text.split()).title()


def label(name, city):
    return f"{name}, {normalise(city)}"
