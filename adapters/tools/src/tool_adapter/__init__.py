"""The adapter for command-line tools: run a tool as its TOML file describes, and write the facts."""
