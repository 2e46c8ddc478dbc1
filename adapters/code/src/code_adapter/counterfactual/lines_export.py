"""Export which lines coverage.py saw in which tests; started with the project's Python.

Usage: python lines_export.py FOLDER REPORT   FOLDER holds the data files, named coverage-data*.
"""

# This file must run on Pythons that pathlib's newer methods are not in:
# ruff: noqa: PTH118, PTH123, PTH208

from __future__ import annotations

import json
import os
import sys

# Drop this file's folder, whose modules could shadow modules of the project.
del sys.path[0]

import coverage  # noqa: E402 - as above


def main(folder: str, report: str) -> int:
    """Write ``{file: {line: [test]}}``; a line that ran outside of tests has the test ``""``. Returns 0."""
    measured = coverage.Coverage(data_file=os.path.join(folder, "combined"), config_file=False)
    # Several processes write several files.
    parts = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.startswith("coverage-data")]
    measured.combine(parts, strict=False)
    data = measured.get_data()
    lines = {path: data.contexts_by_lineno(path) for path in data.measured_files()}
    with open(report, "w") as stream:
        json.dump(lines, stream)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
