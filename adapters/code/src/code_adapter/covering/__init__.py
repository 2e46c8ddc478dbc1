"""code:coverage: what the project's tests reach, measured by the project's own tools."""
