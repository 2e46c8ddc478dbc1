"""CI systems: find the base of a job, and report the verdict to GitHub Actions.

Not part of the command ``gate``: ``gate-ci base`` prints the base, the other actions are the steps of ``action.yml``.
"""
