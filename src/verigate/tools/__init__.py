"""Adapters without code: a command-line tool in a TOML file, its capabilities, its slots and its command lines.

Source: the first source document. Nothing here does I/O: what is read, run or looked at comes in as an argument.
"""
