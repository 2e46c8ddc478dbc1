"""code:tests: the project's own tests, run by the project's own tools."""
