"""The page: one tree of known tags, whatever is in it; the diff with its findings; the evidence; what is cut."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import html5lib
import literal_facts as literal
import pytest
import report_samples as samples
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun, Failure, Outcome, SandboxReport
from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, Status, UnitOutcome, Units, UnitVerdict
from verigate.formats.patch import parse_patch
from verigate.reporting.escape import escape
from verigate.reporting.formats import TextStyle, render, render_nothing
from verigate.reporting.html.json_lines import json_lines
from verigate.reporting.report import Report

LIMIT = 20_000_000
PAYLOAD = '<script>document.title="owned"</script><img src=x onerror=alert(1)>"><style>*{}</style></pre></details>'

# Everything that may stand on the page. No attribute takes a foreign text, so every value is of a known form.
PLACE = r"[a-z][a-z0-9-]*"
ATTRIBUTES = {
    "class": r"[a-z ]+",
    "id": PLACE,
    "href": rf"#{PLACE}",
    "open": "",
    "scope": "col|row",
    "colspan": "3",
    "lang": "en",
    "tabindex": "-1",
    "aria-label": "Sections|time taken",
    "aria-labelledby": PLACE,
    "charset": "utf-8",
    "http-equiv": "Content-Security-Policy",
    "name": "viewport|referrer|color-scheme|format-detection",
    "min": "0",
    "max": r"\d+\.\d{3}",
    "value": r"\d+\.\d{3}",
}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer"),
    *("h1", "h2", "h3", "p", "div", "ul", "li", "dl", "dt", "dd", "details", "summary", "pre"),
    *("table", "thead", "tbody", "tr", "th", "td", "a", "span", "code", "bdi", "strong", "mark", "meter"),
}

PATCH = f"""\
diff --git a/shop/greet.py b/shop/greet.py
index 1..2 100644
--- a/shop/greet.py
+++ b/shop/greet.py
@@ -1,3 +1,4 @@ def shop():
 one
-two
+\ttwo {PAYLOAD}
+three\u202e
 four
@@ -90,1 +91,1 @@
-old
+new
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-bye
"""


def changed(patch: str, *issues: Any, **runs: Any) -> Report:
    """A report that these issues refute, of a change with this patch."""
    facts = literal.facts(
        {"lint_errors_max": 0}, {"lint.json": samples.lint(*issues), "diffs.patch": patch}, implicit=True
    )
    report = samples.report(facts)
    return Report(report.verdict, report.runs, {"diffs.patch": patch, "logs/code.lint.out": PAYLOAD}, ())


CHANGED = changed(
    PATCH,
    samples.issue("shop/greet.py", 3, PAYLOAD, rule="E7"),
    samples.issue("shop/greet.py", 50, "far away"),
    samples.issue("other.py", 1, "elsewhere"),
)
REPORTS = {
    **{status.value: samples.of_status(status) for status in Status},
    "changed": CHANGED,
    "paths": samples.of_issues(*(samples.issue(path) for path in (*samples.PATHS, *samples.OUTSIDE))),
    **{f"hostile-{number}": samples.of_text(samples.HOSTILE[number]) for number in (0, 1, 2, 8, 11, 12)},
    "payload": samples.of_text(PAYLOAD),
    "empty": samples.of_text(""),
}


def parsed(text: str) -> ET.Element:
    """The page as the standard's own algorithm reads it; raises for anything that isn't as it should be."""
    found: ET.Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    return found


def text_of(element: ET.Element) -> str:
    return "".join(element.itertext())


def with_id(root: ET.Element, place: str) -> ET.Element:
    (found,) = (part for part in root.iter() if part.get("id") == place)
    return found


def rows(root: ET.Element) -> Iterator[list[str]]:
    for row in root.iterfind(".//table[@class='diff']/tbody/tr"):
        yield [text_of(cell) for cell in row]


@pytest.mark.parametrize("name", REPORTS)
def test_the_page_is_known_tags_with_known_attributes_whatever_is_told(name: str) -> None:
    report = REPORTS[name]
    text = render("html", report, TextStyle())
    root = parsed(text)
    places = [place for part in root.iter() if (place := part.get("id")) is not None]
    assert len(places) == len(set(places))
    for part in root.iter():
        assert part.tag in TAGS
        for key, value in part.attrib.items():
            if key != "content":
                assert re.fullmatch(ATTRIBUTES[key], value), (key, value)
        if part.tag == "a":
            assert part.get("href", "").removeprefix("#") in places
    head = root.find("head")
    assert head is not None
    (style,) = root.iter("style")
    digest = base64.b64encode(hashlib.sha256((style.text or "").encode()).digest()).decode()
    contents = {meta.get("http-equiv") or meta.get("name"): meta.get("content") for meta in head.iter("meta")}
    assert contents == {
        None: None,
        "Content-Security-Policy": (
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        ),
        "viewport": "width=device-width, initial-scale=1",
        "referrer": "no-referrer",
        "color-scheme": "light dark",
        "format-detection": "telephone=no",
    }
    assert "url(" not in (style.text or "")
    assert "@import" not in (style.text or "")
    (title,) = root.iter("h1")
    assert report.verdict.status.value.upper() in text_of(title)
    assert all(line.isprintable() for line in text_of(root).replace("\t", "").split("\n"))
    ids = {text_of(code) for summary in root.iter("summary") for code in summary.iter("code")}
    assert {escape(check.id, limit=200) or " " for check in report.checks} <= ids


def test_nothing_to_verify_is_a_page_too() -> None:
    root = parsed(render_nothing("html", PAYLOAD))
    assert PAYLOAD in text_of(root)
    assert not list(root.iter("script"))


def test_a_check_has_its_facts_its_evidence_and_the_commands() -> None:
    root = parsed(render("html", CHANGED, TextStyle()))
    (entry,) = (part for part in root.iter("details") if "code.lint_errors_max" in text_of(part[0]))
    assert entry.get("open") == ""
    assert text_of(entry[0]) == "✗ refuted LINT_FAIL code.lint_errors_max"
    facts = list(entry[1][0])
    told = {text_of(label): value for label, value in zip(facts[::2], facts[1::2], strict=True)}
    assert list(told) == ["says", "means", "expected", "actual", "found", "evidence", "reproduce"]
    assert text_of(told["says"]) == "3 lint errors, at most 0 allowed"
    assert (text_of(told["expected"]), text_of(told["actual"])) == ("0", "3")
    assert [text_of(item) for item in told["found"].iter("li")] == [
        f"shop/greet.py:3 E7: {PAYLOAD}",
        "shop/greet.py:50 E1: far away",
        "other.py:1 E1: elsewhere",
    ]
    cited = list(told["evidence"].iter("li"))
    digest = next(a for run in CHANGED.runs for a in run.artifacts if a.path == "lint.json").sha256[:12]
    assert text_of(cited[0]) == f"lint.json /errors = 3 sha256 {digest}"
    assert [text_of(item) for item in told["reproduce"].iter("li")] == [
        "gate explain T1 code.lint_errors_max",
        "gate verify T1 --only code:lint",
    ]
    # The citation leads to its line in the artifact, and from there back.
    link = cited[0].find("a")
    assert link is not None
    mark = with_id(root, link.get("href", "")[1:])
    assert (mark.tag, text_of(mark)) == ("mark", '  "errors": 3,')
    back = mark.find("a")
    assert back is not None
    assert with_id(root, back.get("href", "")[1:]) in list(entry)


def test_findings_stand_beside_their_lines() -> None:
    root = parsed(render("html", CHANGED, TextStyle()))
    assert list(rows(root)) == [
        ["diff --git a/shop/greet.py b/shop/greet.py"],
        ["index 1..2 100644"],
        ["--- a/shop/greet.py"],
        ["+++ b/shop/greet.py"],
        ["@@ -1,3 +1,4 @@ def shop():"],
        ["1", "1", " one"],
        ["2", "", "-two"],
        ["", "2", f"+\ttwo {PAYLOAD}"],
        ["", "3", "+three\\u202e"],
        [f"✗ refuted E7: {PAYLOAD} (code.lint_errors_max)"],
        ["3", "4", " four"],
        ["@@ -90,1 +91,1 @@"],
        ["90", "", "-old"],
        ["", "91", "+new"],
        ["diff --git a/gone.py b/gone.py"],
        ["deleted file mode 100644"],
        ["--- a/gone.py"],
        ["+++ /dev/null"],
        ["@@ -1 +0,0 @@"],
        ["1", "", "-bye"],
    ]
    section = with_id(root, "diff")
    assert [text_of(summary) for summary in section.iter("summary")] == [
        "shop/greet.py +3 -2 2 findings",
        "gone.py +0 -1",
    ]
    assert "in lines that the diff doesn't show:✗ refuted shop/greet.py:50: E1: far away (" in text_of(section)
    places = {text_of(link): link.get("href", "")[1:] for link in with_id(root, "problems").iter("a")}
    assert text_of(with_id(root, places["shop/greet.py:3"])) == "3+three\\u202e"
    assert "other.py:1" not in places, "there is no such line on the page"


@pytest.mark.parametrize(
    ("patch", "files"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("no patch at all", [("", ["about"])], id="other"),
        pytest.param(
            'diff --git "a/n\\tw.py" "b/n\\tw.py"\n--- "a/n\\tw.py"\n+++ "b/n\\tw.py"\n@@ -0,0 +1 @@\n+x\n'
            'diff --git "a/\\303\\274 \\377.py" "b/\\303\\274 \\377.py"\nnew file mode 100644\n'
            "diff --git a/a b.py b/a b.py\n--- a/a b.py\t\n+++ b/a b.py\t\n",
            [("n\tw.py", ["about"] * 3 + ["hunk", "added"]), ("ü \udcff.py", ["about"] * 2), ("a b.py", ["about"] * 3)],
            id="names",
        ),
        pytest.param(
            "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
            [("y", ["about"] * 4)],
            id="rename",
        ),
        pytest.param(
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n--- a/forged\n-diff --git a/f b/f\n"
            "+++ b/forged\n \n\\ No newline at end of file\ndiff --git a/z b/z\nBinary files differ\n",
            [("x", ["about"] * 3 + ["hunk", "removed", "removed", "added", "same", "about"]), ("z", ["about"] * 2)],
            id="lines of a file that look like heads",
        ),
        pytest.param(
            "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n one\n+tw", [("x", ["about"] * 2 + ["hunk", "same", "added"])], id="cut"
        ),
        pytest.param(
            "diff --git a/x b/x\n@@ -1,9 +1,9 @@\n+x\ndiff --git a/y b/y\n@@ -1 +1 @@\n-y\n+y",
            [("x", ["about", "hunk", "added"]), ("y", ["about", "hunk", "removed", "added"])],
            id="a hunk that promises more",
        ),
        pytest.param("diff --git a/x b/x\n@@ -9999999999 +1 @@\n+x\n", [("x", ["about"] * 3)], id="numbers"),
    ],
)
def test_a_patch_is_read_as_far_as_it_goes(patch: str, files: list[tuple[str, list[str]]]) -> None:
    assert [(file.path, [line.kind for line in file.lines]) for file in parse_patch(patch)] == files


def test_json_is_shown_line_by_line_with_its_pointers() -> None:
    value = {"a": [1, {}], "b/c": {"~": "x\n<b>"}, "d": None}
    assert list(json_lines(value)) == [
        ("", "{"),
        ("/a", '  "a": ['),
        ("/a/0", "    1,"),
        ("/a/1", "    {}"),
        ("", "  ],"),
        ("/b~1c", '  "b/c": {'),
        ("/b~1c/~0", '    "~": "x\\n<b>"'),
        ("", "  },"),
        ("/d", '  "d": null'),
        ("", "}"),
    ]
    deep: Any = 1
    for _ in range(3000):
        deep = [deep]
    assert len(list(json_lines(deep))) == 121


def test_what_ran_says_how_long_and_in_what_sandbox() -> None:
    boxed = SandboxReport("bubblewrap", network=False, read_only=True)
    loose = SandboxReport("process-group", network=True, read_only=False, missing=("network namespace",))
    late = Failure("ADAPTER_TIMEOUT", PAYLOAD, "wait")
    argv = ("a b", PAYLOAD)
    runs = (
        CapabilityRun("code:lint", True, "lint", argv=argv, outcome=Outcome(0, duration_s=1.5), sandbox=boxed),
        CapabilityRun("code:build", True, outcome=Outcome(signal=9, duration_s=3), sandbox=loose),
        CapabilityRun("my:x", False, outcome=Outcome(timed_out=True), failure=late, tools_missing=("cc",)),
    )
    root = parsed(render("html", Report(CHANGED.verdict, runs), TextStyle()))
    section = with_id(root, "run")
    table = [[text_of(cell) for cell in row] for row in section.iterfind(".//tbody/tr")]
    assert table == [["code:lint", "1.50", ""], ["code:build", "3.00", ""], ["my:x", "0.00", ""]]
    assert [meter.get("value") for meter in section.iter("meter")] == ["1.500", "3.000", "0.000"]
    told = text_of(section)
    for words in (
        "bubblewrap, no network, subject read-only: code:lint",
        "process-group, network allowed, subject writable in its own checkout (not available: network namespace)",
        f"ADAPTER_TIMEOUT {PAYLOAD}",
        "signal 9 after 3.00 s",
        "stopped, out of time, after 0.00 s",
        f"a b {PAYLOAD}",
    ):
        assert words in told


@pytest.mark.slow
def test_what_has_no_room_is_counted() -> None:
    text = "\u202e" * 3000
    ref = EvidenceRef("big.json", "/0", text, "0" * 64)
    checks = tuple(
        Check(f"code.c{number}", CheckOutcome.REFUTED, text, text, "LINT_FAIL", text, (ref,) * 30)
        for number in range(400)
    )
    units = Units(9, tuple(UnitVerdict(f"func:f{n}", UnitOutcome.UNDECIDED, "x", text) for n in range(3000)))
    values = [literal.artifact(f"big{number}.json", ["x" * 3000] * 60) for number in range(30)]
    patch = "".join(f"diff --git a/f{n} b/f{n}\n@@ -1 +1,900 @@\n" + f"+{text}\n" * 200 for n in range(20))
    run = CapabilityRun("my:check", required=True, artifacts=(*values, literal.artifact("diffs.patch", patch)))
    told = replace(CHANGED.verdict, checks=checks, units=units)
    page = render("html", Report(told, (run,), {"diffs.patch": patch, "log": "x" * 1_000_000}), TextStyle())
    assert len(page) < LIMIT
    sections = dict(re.findall(r'<section id="([a-z]+)"(.*?)</section>', page, re.DOTALL))
    problems = re.sub("<[^>]*>", "", sections["problems"])
    shown = problems.count("reproduce")
    assert f"Cut here: {400 - shown:,} more checks; all of them: gate show T1 --json" in problems
    assert 100 < shown < 400
    for section, what in (("units", "units"), ("artifacts", "files"), ("diff", "files")):
        assert re.search(rf"Cut here: [\d,]+ more {what}\.", sections[section]), section
    assert re.search(r"Cut here: \d+ more lines of this file\.", sections["diff"])
    size = len(json.dumps(["x" * 3000] * 60))
    assert re.search(rf"Cut here: only the first \d+ lines of {size:,} bytes are shown\.", sections["artifacts"])
