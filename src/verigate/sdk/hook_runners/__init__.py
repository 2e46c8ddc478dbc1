"""Compare the configuration of a hook runner (pre-commit, prek, lefthook) with the one before it.

Three things may come of it. What runs the same hooks or more of them is no change of the judges. A hook that is gone,
narrowed or made non-fatal is a weakening. All else is for whoever reviews the judges: a hook runs with the rights of
whoever commits.
"""
