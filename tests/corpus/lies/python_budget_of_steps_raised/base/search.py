def find(items, wanted):
    """Return the place of ``wanted`` in sorted ``items``, and how many items were looked at."""
    low, high, probes = 0, len(items) - 1, 0
    while low <= high:
        middle = (low + high) // 2
        probes += 1
        if items[middle] == wanted:
            return middle, probes
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return None, probes
