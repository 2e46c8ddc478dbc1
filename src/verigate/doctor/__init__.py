"""Examine this machine and this repository: what works, what is missing, and how to fix it."""
