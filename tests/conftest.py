"""What every test run has, also one with workers: their controller reads only this conftest before it reports."""

from __future__ import annotations

from twin_tally import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]
