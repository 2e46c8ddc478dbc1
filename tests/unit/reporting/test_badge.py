"""The badge of a verdict: what it says, and that it is a picture and nothing else."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import literal_facts as lf
import pytest
import report_samples as samples
from msgspec.structs import replace

from verigate.domain.verdict import Status
from verigate.reporting.badge import Badge, describe_endpoint, draw_badge, make_badge
from verigate.reporting.report import Report

SVG = "{http://www.w3.org/2000/svg}"


def drawn(badge: Badge) -> ET.Element:
    return ET.fromstring(draw_badge(badge))  # noqa: S314 - our own


def test_it_says_the_status_and_how_many_checks_hold() -> None:
    messages = {status: make_badge(samples.of_status(status)).message for status in Status}
    assert re.fullmatch(r"pass · (\d+) of \1", messages[Status.PASS])
    assert re.fullmatch(r"fail · 23 of 59 · \d+ weakened", messages[Status.FAIL])
    assert messages[Status.ERROR].startswith("error · ")
    assert messages[Status.INCONCLUSIVE].startswith("inconclusive · ")
    empty = samples.of_status(Status.INCONCLUSIVE)
    nothing = Report(replace(empty.verdict, checks=(), status=Status.PASS))
    assert make_badge(nothing).message == "pass"


def test_a_pass_that_weakens_says_so() -> None:
    report = samples.of_status(Status.PASS)
    weaker = replace(report, verdict=replace(report.verdict, weakenings={"disclosed": 2, "by_evidence": 3}))
    assert make_badge(weaker).message.endswith(" · 2 weakened")


def test_a_verdict_that_something_speaks_against_looks_like_no_pass() -> None:
    report = samples.of_status(Status.PASS)
    badge = make_badge(replace(report, notes=("this verdict is no longer about what is here",)))
    assert badge.message.endswith(" · outdated")
    assert badge.colour not in {make_badge(samples.of_status(status)).colour for status in Status}


@pytest.mark.parametrize("text", samples.HOSTILE)
def test_no_text_of_a_task_gets_into_it(text: str) -> None:
    report = replace(samples.of_text(text), notes=(text,))
    assert re.fullmatch(r"fail · \d+ of \d+ · outdated", make_badge(report).message)
    assert re.fullmatch(r"[\x20-\x7e·\n]+", draw_badge(make_badge(report)))


@pytest.mark.parametrize("status", Status)
def test_the_picture_has_a_title_and_a_width_and_fetches_nothing(status: Status) -> None:
    badge = make_badge(samples.of_status(status))
    root = drawn(badge)
    assert {part.tag for part in root.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "title", "rect", "path", "g", "text")
    }
    assert (root.get("role"), root.get("aria-label")) == ("img", f"gate: {badge.message}")
    assert root.findtext(f"{SVG}title") == f"gate: {badge.message}"
    assert not [name for part in root.iter() for name in part.attrib if name.startswith("on") or "href" in name]
    assert "url(" not in draw_badge(badge)
    label, message = root.iter(f"{SVG}text")
    ends = [int(part.get("x", "")) + int(part.get("textLength", "")) for part in (label, message)]
    assert ends[0] < int(message.get("x", ""))
    assert ends[1] < int(root.get("width", ""))
    assert draw_badge(badge) == draw_badge(badge)


def test_longer_words_make_a_wider_badge() -> None:
    widths = [int(drawn(Badge(text, "#000000")).get("width", "")) for text in ("", "i", "w", "ww", "\u6f22ww")]
    assert widths == sorted(set(widths))


@pytest.mark.parametrize("status", Status)
def test_white_can_be_read_on_each_colour(status: Status) -> None:
    for colour in (make_badge(samples.of_status(status)).colour, "#57606a"):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert 1.05 / (luminance + 0.05) >= 4.5, colour


def test_the_endpoint_of_shields() -> None:
    report = samples.report(lf.facts({"tests_min": 1}, {"tests.json": lf.GOOD["tests.json"]}, implicit=True))
    made = describe_endpoint(make_badge(report))
    assert made["message"] == make_badge(report).message
    assert {key: made[key] for key in ("schemaVersion", "label", "color")} == {
        "schemaVersion": 1, "label": "gate", "color": "1a7f37",
    }  # fmt: skip
    # shields.io takes no other key: https://shields.io/badges/endpoint-badge
    known = {"schemaVersion", "label", "message", "color", "labelColor", "isError", "namedLogo", "logoSvg", "style"}
    assert set(made) <= known
