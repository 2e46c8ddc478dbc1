import re


def normalise(text):
    return re.sub(r"\s+", " ", text.strip()).title()


def label(name, city):
    return f"{name}, {normalise(city)}"
