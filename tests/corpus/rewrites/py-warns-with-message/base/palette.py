import warnings

COLOURS = {"red": "#f00", "green": "#0f0", "blue": "#00f"}
OLD = {"lime": "green"}


def colour(name):
    """Return the hexadecimal value of a colour."""
    if name in OLD:
        warnings.warn(f"{name} is called {OLD[name]} now", DeprecationWarning, stacklevel=2)
        name = OLD[name]
    return COLOURS[name]
