"""Frozen values that the stages pass to one another. No I/O, no clocks, no imports from upper layers."""
