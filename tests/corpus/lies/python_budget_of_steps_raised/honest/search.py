def find(items, wanted):
    """Return the place of ``wanted`` in sorted ``items``, and how many items were looked at."""
    low, high, probes = 0, len(items), 0
    while low < high:
        middle, probes = (low + high) // 2, probes + 1
        if items[middle] == wanted:
            return middle, probes
        low, high = (middle + 1, high) if items[middle] < wanted else (low, middle)
    return None, probes
