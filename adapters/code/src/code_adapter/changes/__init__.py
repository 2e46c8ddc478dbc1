"""``code:changes``: dependencies, versions, kinds of files and names on both sides of a change."""
