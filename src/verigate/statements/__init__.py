"""Split the prose of a claim into statements, and read each as the facts that would have to hold.

Loaded only for claims that make statements.
"""
