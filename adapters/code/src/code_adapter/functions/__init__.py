"""``code:functions``: list functions, classes and HTTP endpoints that the change adds, changes and removes."""
