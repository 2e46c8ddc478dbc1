"""The start of an adapter in sh: it finds the task's folder among its arguments."""

from __future__ import annotations

_START = """#!/bin/sh
set -e
shift
while [ "$#" -gt 0 ]; do
    case $1 in --task-dir) folder=$2;; esac
    shift 2
done
"""


def shell_adapter(*lines: str) -> str:
    """Make an adapter that runs these lines, where ``$folder`` is the task's folder."""
    return _START + "".join(f"{line}\n" for line in lines)
