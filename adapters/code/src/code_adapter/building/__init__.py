"""``code:build``: compile and build the project with its own tools."""
