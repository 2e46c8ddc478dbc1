"""What every test run has, also one with workers: their controller reads only this conftest before it reports."""

from __future__ import annotations

import signal

from twin_tally import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

# A shell without job control starts its background jobs with SIGINT ignored, and so would every process that a test
# starts and interrupts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
