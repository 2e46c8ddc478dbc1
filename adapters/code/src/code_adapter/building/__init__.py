"""code:build: whether the project compiles and builds, by its own tools."""
