"""Files that a tool was given and didn't look at are not counted as examined, whatever they are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tool_adapter.examined_files import select_examined
from verigate.sdk import ToolRun
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.untrusted import ReportInvalid
from verigate.tools.model import Report, ReportFormat

ROOT = Path("/r")
CHECKING = r"Checking file: (?P<path>.*)"
SKIPPING = r"Skipping (?P<path>.*)"


def _seen(given: list[str], stdout: bytes = b"", stderr: bytes = b"", listing: bytes = b"", **report: Any) -> list[str]:
    declared = Report(**{"format": ReportFormat.LINES, **report})
    run = ToolRun(("t",), 0, None, False, stdout, stderr)
    raw = stderr if declared.source == "stderr" else stdout
    return list(select_examined(declared, given, [(run, raw)], [listing], Texts(ROOT)))


@pytest.mark.parametrize(
    ("given", "told", "seen"),
    [
        (["a", "b"], {}, ["a", "b"]),
        (["a", "b"], {"lists": ("-l",), "listing": b"/r/b\nelsewhere\n"}, ["b"]),
        (["a", "b"], {"lists": ("-l",)}, []),
        (["a", "d/b"], {"examined": CHECKING, "stderr": b"Checking file: ./d/b\r\n"}, ["d/b"]),
        (["a", "b"], {"skipped": SKIPPING, "stderr": b"Skipping a\nSkipping a and more\n"}, ["b"]),
        # only what is said beside the report counts: a finding's text is no word of the tool
        (["a"], {"skipped": SKIPPING, "stdout": b"Skipping a\n"}, ["a"]),
        (["a"], {"skipped": SKIPPING, "stdout": b"Skipping a\n", "source": "stderr"}, []),
        (["a"], {"examined": CHECKING, "stdout": b"Checking file: a\n"}, []),
        (["a"], {"examined": CHECKING, "stderr": b"not Checking file: a\n"}, []),
        # a name that holds such a line says it of nobody
        (["a", "x\nChecking file: a"], {"examined": CHECKING, "stderr": b"Checking file: x\nChecking file: a\n"}, []),
        (["/r/a", "../a"], {"lists": ("-l",), "listing": b"../a\n"}, []),
    ],
)
def test_only_what_was_looked_at_counts(given: list[str], told: dict[str, Any], seen: list[str]) -> None:
    assert _seen(given, **told) == seen


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        (b'{"errors": [{"file": "./a"}, {"file": 3}, "a"]}', ["b"]),
        (b'{"errors": []}', ["a", "b"]),
        (b"{}", ["a", "b"]),
    ],
)
def test_a_report_in_json_names_them_itself(raw: bytes, seen: list[str]) -> None:
    place = {"format": ReportFormat.JSON, "findings": "/results/*", "skipped": "/errors/*/file"}
    assert _seen(["a", "b"], stdout=raw, **place) == seen


def test_a_report_that_cannot_be_read_is_no_answer() -> None:
    with pytest.raises(ReportInvalid):
        _seen(["a"], stdout=b"{", format=ReportFormat.JSON, skipped="/errors/*")
