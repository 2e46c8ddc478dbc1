"""Calls a command-line tool as its TOML file says, and writes down what came of it."""
