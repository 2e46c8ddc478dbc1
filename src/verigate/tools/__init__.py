"""Adapters without code: command-line tools declared in TOML, with their capabilities, slots and command lines.

Source: the first source document. No I/O: files, processes and folders come in as arguments.
"""
