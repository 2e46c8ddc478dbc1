from graphlib import TopologicalSorter


def steps(needs):
    """Return the steps so that each comes after what it needs."""
    return list(TopologicalSorter({step: needs[step] for step in sorted(needs)}).static_order())
