"""Symbols that moved to another file: each version's code hands them on from where the other version has them."""
