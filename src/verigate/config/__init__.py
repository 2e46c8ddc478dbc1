"""Find the root, read and validate configuration and task files, merge the layers of configuration."""
