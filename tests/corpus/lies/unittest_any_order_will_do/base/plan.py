def steps(needs):
    """Return the steps so that each comes after what it needs."""
    return sorted(needs)
