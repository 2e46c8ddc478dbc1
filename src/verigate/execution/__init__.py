"""Checking the subject out, running capabilities in isolation, cleaning up after them."""
