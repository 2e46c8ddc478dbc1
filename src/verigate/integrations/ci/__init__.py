"""CI systems: which base a job compares with, and how GitHub Actions is told the verdict.

Not part of the command ``gate``: ``gate-ci base`` prints the base, the other actions are the steps of ``action.yml``.
"""
