"""Settings, options and commands of tools: test runners, coverage reports, linters, type checkers."""
