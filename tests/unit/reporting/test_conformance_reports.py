"""What the conformance kit found, as text, JSON and JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from verigate.domain.conformance import (
    TOOLS_MISSING,
    Conformance,
    ConformanceAnswer,
    ConformanceCheck,
    ConformanceFinding,
)
from verigate.reporting.conformance import document, render
from verigate.reporting.conformance_junit import render as render_junit

HOLDS = ConformanceCheck("end", "it ends", ConformanceAnswer.HOLDS, "x:y")
IDLE = ConformanceCheck("sorted", "arrays are sorted", ConformanceAnswer.NOT_ASKED, "x:y", why="no schema says so")
UNSEEN = ConformanceCheck(
    "network", "no network", ConformanceAnswer.NOT_RUN, "x:y", why="nothing can watch", hint="install strace"
)
UNSEEN_TOO = ConformanceCheck(
    "tools", "no tools", ConformanceAnswer.NOT_RUN, "x:y", why="nothing can watch", hint="install strace"
)
FINDING = ConformanceFinding("STDOUT_USED", "it wrote \x1b[31m3 bytes", "say it on stderr", "x:y", "small")
REFUTED = ConformanceCheck("stdout", "it is silent", ConformanceAnswer.REFUTED, "x:y", (FINDING,))
WHOLE = ConformanceCheck("manifest", "it is valid", ConformanceAnswer.HOLDS)


def made(*checked: ConformanceCheck, capabilities: tuple[str, ...] = ("x:y",)) -> Conformance:
    return Conformance("a", "1.0", "/a", capabilities, ("small",), checked, {"sandbox": "bubblewrap"}, 3)


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (made(WHOLE, HOLDS, IDLE), 0),
        (made(WHOLE, HOLDS, UNSEEN), 3),
        (made(WHOLE, HOLDS, UNSEEN, REFUTED), 1),
        (made(WHOLE, IDLE), 3),
        (made(WHOLE), 3),
        (made(WHOLE, capabilities=()), 3),
        (made(WHOLE, HOLDS, capabilities=("x:y", "x:z")), 3),
    ],
)
def test_only_what_was_asked_and_holds_conforms(report: Conformance, code: int) -> None:
    assert report.exit_code == code
    word = {0: "CONFORMING  ", 1: "NOT CONFORMING  ", 3: "NOT CHECKED  "}[code]
    assert render([report]).startswith(word)
    assert document([report])["exit_code"] == code


def test_missing_tools_come_before_the_findings_that_they_may_have_caused() -> None:
    report = replace(made(WHOLE, REFUTED), conditions={"sandbox": "bubblewrap", TOOLS_MISSING: "jq"})
    lines = render([report]).splitlines()
    assert lines[2:6] == [
        "tools not installed: jq",
        "    try: install them, since what needs them fails",
        "",
        "✗ STDOUT_USED  x:y · small",
    ]
    assert lines[-1] == "sandbox: bubblewrap"
    assert document([report])["conditions"][TOOLS_MISSING] == "jq"


def test_the_text_names_code_place_message_and_fix_and_counts() -> None:
    text = render([made(WHOLE, HOLDS, IDLE, UNSEEN, UNSEEN_TOO, REFUTED)])
    assert text == (
        "NOT CONFORMING  a 1.0 · 3 checks in 3 calls · 1 findings · 2 not run\n"
        "\n"
        "✗ STDOUT_USED  x:y · small\n"
        "    it wrote \\x1b[31m3 bytes\n"
        "    try: say it on stderr\n"
        "\n"
        "? not run  x:y\n"
        "    network, tools\n"
        "    because nothing can watch\n"
        "    try: install strace\n"
        "\n"
        "✓ the adapter itself  1 checks run\n"
        "✗ x:y  2 checks run · 1 refuted · 2 not run · not asked: sorted\n"
        "\n"
        "fixtures: small\n"
        "sandbox: bubblewrap\n"
    )


def test_a_note_is_shown_and_changes_nothing() -> None:
    noted = ConformanceCheck("stdout", "it is silent", ConformanceAnswer.HOLDS, "x:y", notes=(FINDING,))
    report = made(WHOLE, HOLDS, noted)
    assert (report.exit_code, report.findings, report.notes) == (0, (), (FINDING,))
    text = render([report])
    assert text.startswith("CONFORMING  a 1.0 · 3 checks in 3 calls · 0 findings · 1 notes\n")
    assert "· note STDOUT_USED  x:y · small\n    it wrote \\x1b[31m3 bytes\n    try: say it on stderr\n" in text
    written = document([report])
    assert (written["findings"], [note["code"] for note in written["notes"]]) == ([], ["STDOUT_USED"])
    root = ET.fromstring(render_junit([report]))  # noqa: S314 (our own)
    [output] = root.iter("system-out")
    assert str(output.text).startswith("STDOUT_USED small: ")
    assert root.get("failures") == "0"


def test_junit_has_a_case_for_each_check() -> None:
    root = ET.fromstring(render_junit([made(WHOLE, HOLDS, IDLE, UNSEEN, REFUTED)]))  # noqa: S314 (our own)
    assert [(suite.get("name"), suite.get("tests")) for suite in root] == [("a", "1"), ("x:y", "4")]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "1", "1")
    cases = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert cases == {"manifest": [], "end": [], "sorted": ["skipped"], "network": ["error"], "stdout": ["failure"]}
