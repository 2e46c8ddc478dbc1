"""``code:coverage``: measure the coverage of the project's tests with the project's own tools."""
