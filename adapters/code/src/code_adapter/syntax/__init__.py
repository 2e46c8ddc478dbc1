"""Read changed files from git for syntactic analysis."""
