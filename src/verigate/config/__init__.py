"""Finding the root, reading and validating configuration and task files, merging layers."""
