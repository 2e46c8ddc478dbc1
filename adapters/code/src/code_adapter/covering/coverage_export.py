"""Export coverage.py's data as its JSON report; started with the project's Python and configuration.

Usage: python coverage_export.py FOLDER REPORT   FOLDER holds the data files, named coverage-data*.
"""

# This file must run on Pythons that pathlib's newer methods are not in:
# ruff: noqa: PTH118, PTH123, PTH208

from __future__ import annotations

import os
import sys

# Drop this file's folder, whose modules could shadow modules of the project.
del sys.path[0]

import coverage  # noqa: E402 - as above
from coverage.misc import CoverageException  # noqa: E402 - as above


def main(folder: str, report: str) -> int:
    """Write the report, or an empty one if nothing was measured. Returns 0."""
    measured = coverage.Coverage(data_file=os.path.join(folder, "combined"))
    # Several processes, or parallel = true, write several files.
    parts = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.startswith("coverage-data")]
    measured.combine(parts, strict=False)
    if not measured.get_data().measured_files():
        write_nothing(report)
        return 0
    try:
        measured.json_report(outfile=report)
    except CoverageException as error:
        # The configuration omits everything that was measured.
        if type(error).__name__ != "NoDataError":
            raise
        write_nothing(report)
    return 0


def write_nothing(report: str) -> None:
    """Write a report without files."""
    with open(report, "w") as stream:
        stream.write('{"files": {}, "totals": {"num_statements": 0, "covered_lines": 0}}')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
