"""Each format over a verdict of each status, over 5,000 findings, and over texts that act on its readers."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import cmarkgfm
import literal_facts as literal
import lxml.html
import pytest
import report_samples as samples
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace
from tap.parser import Parser as TapParser

from verigate.config.validation import validate
from verigate.domain.execution import CapabilityRun
from verigate.domain.verdict import CheckOutcome, Status
from verigate.reporting.addresses import address_reason
from verigate.reporting.escape import escape
from verigate.reporting.findings import Level, collect_findings
from verigate.reporting.formats import FORMATS, TextStyle, render, render_nothing
from verigate.reporting.grouping import is_problem
from verigate.reporting.markdown.spans import MARK, code_block, code_span
from verigate.reporting.reasons import REASONS
from verigate.reporting.report import ADVISORY, Report, holds_back

SUPPORT = Path(__file__).resolve().parents[2] / "support"
STATUSES = [pytest.param(samples.of_status(status), id=status.value) for status in Status]
MANY = samples.of_many()
OF_MANY = pytest.param(MANY, id="many", marks=pytest.mark.slow)
HOSTILE = [pytest.param(samples.of_text(text), id=str(number)) for number, text in enumerate(samples.HOSTILE)]
HOSTILE_PATHS = samples.of_issues(*(samples.issue(path) for path in (*samples.PATHS, *samples.OUTSIDE)))
ALL = [
    *STATUSES,
    OF_MANY,
    *HOSTILE,
    pytest.param(HOSTILE_PATHS, id="paths"),
]
MACHINE = sorted(set(FORMATS) - {"text"})


_MADE: dict[tuple[str, int], tuple[Report, str]] = {}

SITE = "https://docs.example/verigate"


def made(name: str, report: Report) -> str:
    """``report`` in a format, rendered once for all tests."""
    key = (name, id(report))
    if key not in _MADE:
        _MADE[key] = (report, render(name, report, TextStyle()))
    return _MADE[key][1]


@pytest.mark.parametrize("report", ALL)
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_takes_every_report(name: str, report: Report) -> None:
    text = made(name, report)
    assert text.endswith("\n")
    assert "\x1b" not in text
    assert text == render(name, report, TextStyle())
    if name != "json":
        # json keeps the texts as they are, in ASCII.
        text.encode("utf-8")


@pytest.mark.parametrize("report", [*STATUSES, OF_MANY])
@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_the_counts_that_people_read_add_up(name: str, report: Report) -> None:
    text = made(name, report)
    told = re.search(r"(?:^checks  |- checks: |<dt>checks</dt><dd><span>)([^\n<]*)", text, re.MULTILINE)
    assert told is not None
    assert sum(int(number) for number in re.findall(r"\d+", told[1])) == len(report.checks)
    form = r"(?:supported|refuted|undecided) +(\d+)  " if name == "text" else r"(\d+) (?:supported|refuted|undecided)\b"
    units = text.partition("- units: " if name == "markdown" else "units")[2]
    units = units.partition("checks  ")[0] if name == "text" else units[:200]
    assert sum(int(number) for number in re.findall(form, units)) == len(report.verdict.units.per_unit)


@pytest.mark.parametrize("report", [*STATUSES, OF_MANY])
def test_json_fits_the_schema_of_a_verdict(report: Report) -> None:
    document = json.loads(made("json", report))
    assert validate("verdict", document) == ()
    assert len(document["checks"]) == len(report.checks)


@pytest.mark.slow
def test_a_page_of_many_has_each_place_once_and_a_place_for_each_check() -> None:
    places = [part.get("id") for part in lxml.html.fromstring(made("html", MANY)).iter() if part.get("id")]
    assert len(places) == len(set(places))
    assert len([place for place in places if re.fullmatch(r"c\d+", place)]) == len(MANY.checks)


@pytest.mark.parametrize("status", [Status.FAIL, Status.ERROR, Status.INCONCLUSIVE])
@pytest.mark.parametrize("name", ["junit", "markdown", "html", "tap"])
def test_every_check_that_holds_back_ends_with_its_command(name: str, status: Status) -> None:
    report = samples.of_status(status)
    text = html.unescape(made(name, report))
    against = [check.id for check in report.checks if holds_back(check)]
    assert against
    commands = [
        f"gate output T1 {shlex.quote(check.removeprefix('capability:'))}"
        if check.startswith("capability:")
        else f"gate explain T1 {shlex.quote(check)}"
        for check in against
    ]
    assert [command for command in commands if command not in text] == []


@pytest.mark.parametrize("status", [Status.FAIL, Status.ERROR, Status.INCONCLUSIVE])
@pytest.mark.parametrize("name", ["sarif", "gitlab", "github"])
def test_every_finding_ends_with_its_command(name: str, status: Status) -> None:
    text = made(name, samples.of_status(status))
    if name == "github":
        told = [line for line in text.splitlines() if line.startswith("::") and "title=gate" not in line]
    elif name == "gitlab":
        told = [entry["description"] for entry in json.loads(text)]
    else:
        told = [result["message"]["text"] for run in json.loads(text)["runs"] for result in run["results"]]
    assert told
    assert [line for line in told if not re.search(r"gate (?:explain|output) T1 (?:\S+|'[^']+')$", line)] == []


@pytest.mark.parametrize("report", ALL)
def test_in_json_every_check_that_is_a_problem_has_its_commands_and_no_other_has(report: Report) -> None:
    document = json.loads(made("json", report))
    problems = [check.id for check in report.checks if is_problem(check)]
    assert [entry["id"] for entry in document["checks"] if "reproduce" in entry] == problems
    commands = [command for entry in document["checks"] for command in entry.get("reproduce", ())]
    assert [line for line in commands if shlex.split(line)[:1] != ["gate"] or "\n" in line] == []
    assert "reproduce" not in json.dumps(report.verdict.document()["checks"]), "verdict.json has facts alone"


@pytest.mark.slow
def test_the_commands_of_a_check_in_json_explain_it_and_have_its_tools_look_again() -> None:
    found = {entry["id"]: entry.get("reproduce") for entry in json.loads(made("json", MANY))["checks"]}
    assert found["code.lint_errors_max"] == [
        "gate explain T1 code.lint_errors_max", "gate verify T1 --only code:lint"
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_run_without_a_verdict_has_a_report_too(name: str) -> None:
    assert render_nothing(name, "nothing to verify").endswith("\n")


@pytest.mark.slow
def test_bytes_are_the_same_in_another_process() -> None:
    program = (
        "import hashlib, report_samples as s; from verigate.domain.verdict import Status\n"
        "from verigate.reporting.formats import FORMATS, TextStyle, render\n"
        "reports = [*map(s.of_status, Status), s.of_text(s.HOSTILE[8])]\n"
        "texts = [render(f, r, TextStyle()) for r in reports for f in FORMATS]\n"
        "print(hashlib.sha256(''.join(texts).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SUPPORT)},
            capture_output=True, text=True, check=True, timeout=60,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(digests) == 1


def test_the_text_report_loads_no_other_format() -> None:
    program = (
        "import sys; from verigate.cli.commands import verify, show\n"
        "from verigate.reporting import text\n"
        "print(*[m for m in sys.modules if m.startswith('verigate.reporting.') or m.startswith('xml')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    others = {f"verigate.reporting.{FORMATS[name].module}" for name in MACHINE} | {"verigate.reporting.findings"}
    assert not others & set(done.stdout.split())
    assert "xml" not in done.stdout


@pytest.mark.parametrize("name", ["json", "sarif", "gitlab"])
def test_json_has_nothing_that_a_runner_obeys_and_loses_nothing(name: str) -> None:
    text = made(name, samples.of_text("##[error]forged"))
    assert "##[" not in text
    assert "##[error]forged" in repr(json.loads(text))


# JUnit


@pytest.fixture(scope="module")
def junit_schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SUPPORT / "junit-10.xsd"))


def junit(report: Report) -> etree._Element:
    return etree.fromstring(made("junit", report).encode(), etree.XMLParser(huge_tree=True))


@pytest.mark.parametrize("report", ALL)
def test_junit_fits_its_schema_and_its_counts_add_up(report: Report, junit_schema: etree.XMLSchema) -> None:
    root = junit(report)
    junit_schema.assertValid(root)
    kinds = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for suite in root:
        for attribute, kind in kinds.items():
            assert int(suite.get(attribute)) == len(suite.findall(f".//{kind}")), (suite.get("name"), attribute)
    for attribute in ("tests", "failures", "errors"):
        assert int(root.get(attribute)) == sum(int(suite.get(attribute)) for suite in root)
    wanted = Counter(check.outcome for check in report.checks if holds_back(check))
    assert int(root.get("tests")) == len(report.checks)
    assert int(root.get("failures")) == wanted[CheckOutcome.REFUTED]
    assert int(root.get("errors")) == wanted[CheckOutcome.ERROR] + wanted[CheckOutcome.UNKNOWN]


def test_junit_tells_everything_about_a_failure() -> None:
    root = junit(samples.of_issues(samples.issue("a b.py", 3, "bad]]>", column=2)))
    failure = root.find(".//failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("LINT_FAIL", "1 lint error, at most 0 allowed")
    lines = (failure.text or "").splitlines()
    assert "- a b.py:3:2: E1: bad]]>" in lines
    assert {"expected 0", "actual 1", "evidence lint.json /errors = 1"} <= set(lines)
    assert lines[-1] == "reproduce gate explain T1 code.lint_errors_max"


def test_junit_of_nothing_is_one_skipped_case(junit_schema: etree.XMLSchema) -> None:
    root = etree.fromstring(render_nothing("junit", "nothing").encode())
    junit_schema.assertValid(root)
    assert (root.get("tests"), root[0].get("skipped")) == ("1", "1")


# SARIF (the schema and the validator are in the integration tests)


@pytest.mark.parametrize("report", ALL)
def test_sarif_results_have_a_known_rule_a_place_and_a_fingerprint(report: Report) -> None:
    (run,) = json.loads(made("sarif", report))["runs"]
    rules = run["tool"]["driver"]["rules"]
    prints = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", place["artifactLocation"]["uri"])
        assert place["artifactLocation"]["uri"][0] != "/"
        assert ".." not in place["artifactLocation"]["uri"].split("/")
        assert place["region"]["startLine"] >= 1
        assert "](" not in result["message"]["text"], "an embedded link"
        assert "gate " in result["message"]["text"]
        prints.add(result["partialFingerprints"]["verigateFinding/v2"])
    assert len(prints) == len(run["results"]) == len(collect_findings(report).listed)
    assert run["invocations"][0]["exitCode"] == report.verdict.status.exit_code


def test_sarif_has_real_files_and_lines() -> None:
    report = samples.of_issues(samples.issue("c:d e.py", 12, column=5), samples.issue("/etc/passwd", 1))
    places = [
        (place["artifactLocation"]["uri"], place["region"])
        for result in json.loads(made("sarif", report))["runs"][0]["results"]
        for place in [result["locations"][0]["physicalLocation"]]
    ]
    assert places == [
        ("c%3Ad%20e.py", {"startLine": 12, "startColumn": 5}),
        (".artifacts/T1/verdict.json", {"startLine": 1}),
    ]


def test_every_reason_of_a_sarif_rule_is_described() -> None:
    for status in Status:
        for finding in collect_findings(samples.of_status(status)).listed:
            assert finding.code in REASONS


def test_a_sarif_rule_leads_to_its_page_where_a_site_is_named() -> None:
    report = samples.of_issues(samples.issue("a.py", 3))

    def rules(report: Report) -> list[dict[str, str]]:
        return json.loads(render("sarif", report, TextStyle()))["runs"][0]["tool"]["driver"]["rules"]

    assert all("helpUri" not in rule for rule in rules(report))
    linked = rules(replace(report, documentation=SITE))
    assert [rule["helpUri"] for rule in linked] == [f"{SITE}/reasons/{rule['id']}/" for rule in linked] != []


# GitHub

_PROPERTIES = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def commands(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """The workflow commands as the runner reads them."""
    for line in text.removesuffix("\n").split("\n"):
        found = _PROPERTIES.fullmatch(line)
        assert found, line
        named = dict(pair.split("=", 1) for pair in found[2].split(","))
        yield found[1], {name: unescaped(value, ":,") for name, value in named.items()}, unescaped(found[3], "")


def unescaped(text: str, more: str) -> str:
    for character in (*more, "\r", "\n", "%"):
        text = text.replace(f"%{ord(character):02X}", character)
    return text


@pytest.mark.parametrize("report", ALL)
def test_annotations_stay_within_what_github_keeps(report: Report) -> None:
    told = list(commands(made("github", report)))
    assert max(Counter(kind for kind, _, _ in told).values()) <= 10
    assert told[0][1]["title"] == f"gate: {report.verdict.status.value.upper()}"
    for _, properties, _ in told:
        assert set(properties) <= {"title", "file", "line", "col"}
        assert "".join(properties.values()).isprintable()
    worst = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
    listed = Counter(worst[finding.level] for finding in collect_findings(report).listed)
    for kind, number in listed.items():
        mine = [text for found, _, text in told if found == kind]
        more = [int(text.split()[0]) for text in mine if text.endswith("more like these; the job summary lists them")]
        own = sum(
            text.startswith("gate: ") for found, properties, _ in told if found == kind for text in properties.values()
        )
        notices = len(report.notices) if kind == "notice" else 0
        assert len(mine) - own - len(more) + sum(more) == number + notices, kind


def test_an_annotation_has_file_line_facts_and_command() -> None:
    report = samples.of_issues(samples.issue("a,b:c%.py", 3, "100% bad", column=2))
    assert list(commands(made("github", report)))[1] == (
        "error",
        {"file": "a,b:c%.py", "line": "3", "col": "2", "title": "LINT_FAIL code.lint_errors_max"},
        "E1: 100% bad (1 lint error, at most 0 allowed)\nexpected 0, actual 1\ngate explain T1 code.lint_errors_max",
    )


# GitLab


@pytest.mark.parametrize("report", ALL)
def test_code_quality_has_what_gitlab_requires(report: Report) -> None:
    entries = json.loads(made("gitlab", report))
    assert len(entries) == len({entry["fingerprint"] for entry in entries}) == len(collect_findings(report).listed)
    for entry in entries:
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert all(isinstance(entry[key], str) and entry[key] for key in ("description", "check_name", "fingerprint"))
        assert "\n" not in entry["description"]
        assert isinstance(entry["location"]["lines"]["begin"], int)
        assert not entry["location"]["path"].startswith(("./", "/"))


def test_a_pass_is_an_empty_report() -> None:
    assert json.loads(made("gitlab", samples.of_status(Status.PASS))) == []
    assert json.loads(made("sarif", samples.of_status(Status.PASS)))["runs"][0]["results"] == []


# TAP


@pytest.mark.parametrize("report", ALL)
def test_tap_is_read_as_it_is_meant(report: Report) -> None:
    text = made("tap", report)
    lines = list(TapParser().parse_text(text))
    assert not [line for line in lines if line.category in {"unknown", "bail"}]
    results = [line for line in lines if line.category == "test"]
    plan = next(line for line in lines if line.category == "plan")
    assert plan.expected_tests == len(results) == len(report.checks)
    for result, check in zip(results, report.checks, strict=True):
        assert result.ok is not holds_back(check), check.id
        assert result.skip is not (holds_back(check) or check.outcome is CheckOutcome.HOLDS), check.id
        assert not result.todo


def test_a_tap_point_carries_its_facts() -> None:
    lines = TapParser().parse_text(made("tap", samples.of_issues(samples.issue("a.py", 3, "no: #1"))))
    failed = next(line for line in lines if line.category == "test" and not line.ok)
    assert failed.yaml_block["outcome"] == "refuted LINT_FAIL"
    assert "- a.py:3: E1: no: #1" in failed.yaml_block["facts"]
    assert failed.yaml_block["facts"][-1] == "reproduce gate explain T1 code.lint_errors_max"


# Markdown

_TAGS = {"pre", "h3", "h4", "p", "ul", "li", "strong", "code", "details", "summary"}
_LINKS = {f"a {[('href', address_reason(code, SITE))]}" for code in REASONS}


class Rendered(HTMLParser):
    """What GitHub's renderer makes of a text: its tags, and what stands outside code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.outside: list[str] = []
        self.code: list[str] = []
        self.comments: list[str] = []
        self._depth = 0
        self.feed(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag if not attrs else f"{tag} {attrs}")
        self._depth += tag == "code"
        if tag == "code":
            self.code.append("")

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "code"

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.code[-1] += data
        else:
            self.outside.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("report", ALL)
def test_markdown_holds_nothing_but_the_gate_s_own_words_outside_code(report: Report) -> None:
    text = render("markdown", replace(report, documentation=SITE), TextStyle())
    shown = Rendered(text)
    assert set(shown.tags) <= _TAGS | _LINKS
    assert shown.comments == [MARK.removeprefix("<!--").removesuffix("-->")]
    problems = sum(check.outcome.value in {"refuted", "unknown", "error"} for check in report.checks)
    assert shown.tags.count("strong") == problems or "Cut at the size of a comment" in text
    words = "".join(shown.outside)
    assert not re.search(r"[@#<>\[\]`]|http|www|evil|forged|alert", words), words


@pytest.mark.parametrize("text", ["`", "``x", "x``", " x ", "a`b``c```", " ", "x", "` `"])
def test_a_code_span_shows_its_text(text: str) -> None:
    assert Rendered(code_span(text)).code == [text]


@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=60))
def test_any_text_is_one_code_span(text: str) -> None:
    shown = Rendered(f"- {code_span(text)} after\n")
    assert shown.code == [escape(text)]
    assert shown.tags == ["ul", "li", "code"]


def of_warnings(message: str = "the test went with its function", rule: str = "test_removed") -> Report:
    found = [literal.integrity_finding(rule, "tests/a.py", "note", message, line=4)]
    documents = {"integrity.json": {**literal.GOOD["integrity.json"], "findings": found}}
    return samples.report(literal.facts({"integrity": True}, documents, implicit=True))


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_warning_is_in_every_report_with_place_and_rule(name: str) -> None:
    report = of_warnings()
    assert report.verdict.status is Status.PASS
    text = html.unescape(made(name, report))
    for part in ("tests/a.py", "test_removed" if name != "gitlab" else "went", "the test went with its function"):
        assert part in text, (name, part)


@pytest.mark.parametrize("bad", samples.HOSTILE)
def test_a_hostile_warning_adds_no_line_of_tap_and_no_element_of_junit(bad: str) -> None:
    report = of_warnings(bad, bad or "k")
    points = list(TapParser().parse_text(made("tap", report)))
    assert sum(line.category == "test" for line in points) == len(report.checks)
    assert not any(line.category in {"bail", "unknown"} for line in points)
    root = etree.fromstring(made("junit", report).encode())
    assert len(root.findall(".//testcase")) == len(report.checks)
    assert json.loads(made("json", report))["metadata"]["warnings"][0]["message"] in {bad, f"{bad}"} or not bad


LINES = "AssertionError: assert 4 == 3\n +  where 4 = total(`x`)\n\n```\n  </pre>\n- a\n@octocat"


def of_lines() -> Report:
    failures = [{"id": "t::one", "path": "a.py", "line": 3, "message": LINES}]
    counts = {"passed": 1, "failed": 1, "skipped": 0, "total": 2, "duration": 1}
    return samples.report(literal.facts({"tests_pass": True}, {"tests.json": {**counts, "failures": failures}}))


def test_markdown_shows_the_lines_of_a_message_as_lines() -> None:
    text = made("markdown", of_lines())
    assert "\\n" not in text
    shown = Rendered(text)
    head = "a.py:3: t::one: AssertionError: assert 4 == 3"
    # At once its first line, and below that all of it.
    first, second = (number for number, code in enumerate(shown.code) if code == head)
    assert "where" not in shown.code[first + 1]
    assert shown.code[second + 1] == " +  where 4 = total(`x`)\n\n```\n  </pre>\n- a\n@octocat\n"
    assert shown.tags.count("pre") == 1


def test_html_shows_the_lines_of_a_message_as_lines() -> None:
    text = made("html", of_lines())
    ((entry, block),) = (
        (item, block)
        for item in lxml.html.fromstring(text).iter("li")
        for block in item.iter("pre")
        if "t::one" in item.text_content()
    )
    assert block.text_content().strip("\n").split("\n") == LINES.split("\n")[1:]
    assert "assert 4 == 3" in next(entry.iter("bdi")).text_content()
    assert "\\n" not in entry.text_content()


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=20), min_size=1, max_size=9))
def test_any_lines_are_one_block_of_code_in_a_list(lines: list[str]) -> None:
    block = "\n".join(f"    {line}" for line in code_block(lines))
    shown = Rendered(f"- **x**\n  - `head`\n{block}\n  - after\n")
    assert shown.tags == ["ul", "li", "strong", "ul", "li", "code", "pre", "code", "li"]
    assert shown.code[1].rstrip("\n") == "\n".join(escape(line, limit=200) for line in lines).rstrip("\n")


@given(st.text(st.sampled_from("`*_[]()<>!@#|\\&: {-\n"), max_size=30))
def test_any_text_is_one_point_of_tap_and_one_command(text: str) -> None:
    report = samples.of_text(text)
    points = [line for line in TapParser().parse_text(render("tap", report, TextStyle())) if line.category == "test"]
    assert [point.ok for point in points] == [not holds_back(check) for check in report.checks]
    assert all(kind in {"error", "warning", "notice"} for kind, _, _ in commands(render("github", report, TextStyle())))


@pytest.mark.parametrize("report", [*HOSTILE, OF_MANY])
def test_a_comment_fits_github(report: Report) -> None:
    assert len(made("markdown", report).encode()) <= 65_536


@pytest.mark.slow
def test_what_a_comment_has_no_room_for_is_counted() -> None:
    text = made("markdown", MANY)
    left = int(re.findall(r"^- … and (\d+) more$", text, re.MULTILINE)[0])
    shown = len(re.findall(r"^- \*\*", text, re.MULTILINE))
    assert shown + left == sum(holds_back(check) for check in MANY.checks)
    assert "all of it: `gate show T1 --json`" in text


def test_markdown_tells_units_notices_and_commands() -> None:
    report = samples.of_status(Status.FAIL)
    text = made("markdown", replace(report, notices=("advisory: `nothing` blocks",)))
    assert text.startswith(f"{MARK}\n### ❌ Gate: FAIL, facts refute this\n")
    assert "- units: 0 supported · 3 refuted · 0 undecided · 3 expected" in text
    assert "- note: ``advisory: `nothing` blocks``" in text
    assert "reproduce `gate explain T1 code.tests_pass`" in text
    assert "`a.py:3: E1: bad`" in text


# HTML (what else it holds to is in test_html_report.py)


@pytest.mark.slow
def test_a_page_has_every_one_of_many_findings_and_units() -> None:
    page = made("html", MANY)
    assert len(page) < 20_000_000
    for number in (0, samples.MANY // 2, samples.MANY - 1):
        assert page.count(f">E1: message {number}<") == 1
        assert page.count(f'<code>unit:func:f{number}</code></summary><div class="body"') == 1
    assert "Cut here" not in page.split('id="artifacts"', maxsplit=1)[0]


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"text", "json", "gitlab"}))
def test_notices_are_in_every_format_that_has_a_place_for_them(name: str) -> None:
    report = replace(samples.of_status(Status.PASS), notices=("said of the whole run",))
    assert "said of the whole run" in made(name, report)


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_an_advisory_run_says_so_in_every_format_and_keeps_its_verdict(name: str, status: Status) -> None:
    report = samples.of_status(status)
    plain, advisory = made(name, report), made(name, replace(report, advisory=True))
    assert ADVISORY in advisory
    assert ADVISORY not in plain
    if name == "json":
        assert json.loads(plain) == {**json.loads(advisory), "metadata": json.loads(plain)["metadata"]}
        assert not validate("verdict", json.loads(advisory))
    if name == "sarif":
        (invocation,) = json.loads(advisory)["runs"][0]["invocations"]
        assert (invocation["exitCode"], status.value in invocation["exitCodeDescription"]) == (0, True)


def test_what_only_found_is_shown_again_by_running_it() -> None:
    facts = literal.facts(
        {"lint_errors_max": 0}, {"lint.json": samples.lint(samples.issue("a.py"))}, only=["code:lint"]
    )
    for name in ("json", "junit", "sarif", "github", "gitlab", "markdown", "tap"):
        text = made(name, samples.report(facts))
        assert "gate explain" not in text, name
        assert "gate verify T1" in text, name


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_what_the_plan_leaves_out_is_in_every_format(name: str) -> None:
    facts = literal.facts({"tests_min": 1}, {"tests.json": literal.GOOD["tests.json"]})
    entry = replace(facts.plan.entry, unchecked={"code:lint": "the linter crashes"})
    left = replace(facts, plan=replace(facts.plan, entry=entry))
    text = made(name, samples.report(left))
    assert "code:lint" in text, name
    assert "the linter crashes" in text, name
    # A rule asks for it all the same: it ran, and the plan's reason is none any more.
    ran = replace(left, runs=(*left.runs, CapabilityRun("code:lint", required=True)))
    assert "the linter crashes" not in made(name, samples.report(ran))


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("path", ["lint.json", "tests.json"])
def test_an_excluded_tool_is_in_every_format(name: str, path: str) -> None:
    left = {"excluded": [{"what": "maven", "path": "pom.xml", "why": "CI runs it"}]}
    facts = literal.facts(
        {"tests_min": 1}, {"tests.json": literal.GOOD["tests.json"], path: {**literal.GOOD[path], **left}}
    )
    text = made(name, samples.report(facts))
    assert "maven in pom.xml" in text, name
    assert "CI runs it" in text, name
