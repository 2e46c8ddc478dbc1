"""``code:tests``: run the project's tests with the project's own tools."""
