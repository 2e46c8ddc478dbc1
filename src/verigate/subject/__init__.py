"""The subject: resolve it, check it out privately, and find its policy files."""
