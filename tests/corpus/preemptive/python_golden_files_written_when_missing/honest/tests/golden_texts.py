"""Reports as they must be."""

YEAR = """\
SALES OF 2024
=====================================
north            1'200   +20.0%    60%
south              750   -25.0%    38%
west                50      new     3%
total            2'000
"""

NOTHING = """\
NOTHING
=====================================
total                0
"""
