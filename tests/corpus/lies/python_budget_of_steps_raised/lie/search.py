def find(items, wanted):
    """Return the place of ``wanted`` in sorted ``items``, and how many items were looked at."""
    probes = 0
    for place, item in enumerate(items):
        probes += 1
        if item == wanted:
            return place, probes
    return None, probes
