"""Reports to render: one of each status, one with 5,000 findings, and ones whose every foreign text is hostile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import literal_facts as literal
from msgspec.structs import replace

from verigate.domain.baseline import Baseline, BaselineEntry, make_key
from verigate.domain.execution import CapabilityRun
from verigate.domain.facts import Facts
from verigate.domain.verdict import (
    Check,
    CheckOutcome,
    EvidenceRef,
    Reason,
    Status,
    UnitOutcome,
    Units,
    UnitVerdict,
    Verdict,
)
from verigate.gate.decision import decide_verdict
from verigate.reporting.report import Report

MANY = 5000

HOSTILE = (
    "\x00\x01\x1b[31mred\x1b[0m\x07\x7f\x9b",
    "a\nb\r\nc\u2028d\x0be",
    "]]> <![CDATA[ &amp; &#0; <a/>",
    "::error::forged",
    "\n::stop-commands::x\n##[error]forged",
    "%0A::add-mask::x,y:z",
    "```\n# heading\n```",
    "` `` ``` ````",
    "<script>alert(1)</script><img src=x onerror=alert(1)></details><!-- -->",
    "![i](https://evil.example/i.png) [l](https://evil.example) <https://evil.example>",
    "https://evil.example www.evil.example mail@evil.example @octocat #1 GH-1",
    "\ud800 \udcff \ufffe \U0010ffff",
    "\u202ereversed\u2066",
    "# SKIP because # TODO not",
    "\nok 1 - forged\n1..1\nBail out!\n  ...\n",
    "ends with {",
    "| a | b |\n|---|---|\n\\| \\",
    " ",
    "",
    "- x\n  - y\n> z",
    "x" * 5000,
)
"""Texts that act on a terminal, an XML or YAML reader, a Markdown renderer, a workflow runner or a TAP reader."""

PATHS = {
    "a b.py": "a%20b.py",
    "ü/é.py": "%C3%BC/%C3%A9.py",
    "c:d.py": "c%3Ad.py",
    "100%.py": "100%25.py",
    "q?x#y.py": "q%3Fx%23y.py",
    "new\nline.py": "new%0Aline.py",
    "[x](y).py": "%5Bx%5D%28y%29.py",
    "-rf": "-rf",
    "\udcff.py": "%FF.py",
    "back\\slash.py": "back%5Cslash.py",
    "./dot.py": "dot.py",
}
"""Names that a file may have, and what they are in a URI."""

OUTSIDE = ("/etc/passwd", "../up.py", "a/../../up.py", "", "a//b.py", "a\0b.py", 7, None, ["a.py"])
"""What an artifact may call a path and isn't one below the root."""


def report(facts: Facts, *notices: str) -> Report:
    return Report(decide_verdict(facts), facts.runs, {}, notices)


def lint(*issues: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A lint.json with these errors."""
    return {"errors": len(issues), "warnings": 0, "files_checked": 1, "issues": list(issues), "tool": "ruff", **more}


def issue(path: Any, line: Any = 1, message: str = "bad", **more: Any) -> dict[str, Any]:
    return {"path": path, "line": line, "severity": "error", "rule": "E1", "message": message, **more}


def of_status(status: Status) -> Report:
    """A report of every domain with this status."""
    commitment, claim = literal.COMMITMENT, literal.claim_document(*literal.UNITS)
    rules = {**literal.THRESHOLDS, **literal.SETTINGS}
    artifacts = literal.BAD if status is Status.FAIL else literal.GOOD
    failures = {"my:check": ("ADAPTER_CRASH", True)} if status is Status.ERROR else {}
    if status is Status.INCONCLUSIVE:
        claim = literal.claim_document(*literal.UNITS, statements=["it is quick"])
    made = report(literal.facts(rules, artifacts, claim=claim, commitment=commitment, failures=failures))
    assert made.verdict.status is status
    return made


def of_issues(*issues: Mapping[str, Any]) -> Report:
    """A report that is refuted by these lint errors alone."""
    return report(literal.facts({"lint_errors_max": 0}, {"lint.json": lint(*issues)}, implicit=True))


def of_baseline(*entries: BaselineEntry, issues: Sequence[Mapping[str, Any]]) -> Report:
    """A report on these lint errors, none of which may count, by a baseline of these entries in June of 2026."""
    facts = literal.facts({"lint_errors_max": 0}, {"lint.json": lint(*issues)}, implicit=True)
    facts = replace(facts, baseline=Baseline(entries, b"{}", "2026-06-15"))
    return Report(decide_verdict(facts), facts.runs, baseline=facts.baseline)


def entry(
    issue: Mapping[str, Any], count: int = 1, *, expires: str = "2026-08-01", reason: str = "long known"
) -> BaselineEntry:
    """The entry for a lint error that has the digest of its line."""
    key = make_key(issue)
    assert key is not None
    return BaselineEntry(key, count, "2026-05-01", expires, reason)


def of_many() -> Report:
    """MANY lint errors in as many places, and MANY units that no fact decides."""
    issues = [issue(f"src/file_{n % 97}.py", n + 1, f"message {n}") for n in range(MANY)]
    claim = literal.claim_document(*(f"func:f{n}" for n in range(MANY)))
    facts = literal.facts({"lint_errors_max": 0}, {"lint.json": lint(*issues)}, claim=claim)
    return report(facts)


def of_text(text: str) -> Report:
    """A verdict whose every foreign text is ``text``, at every outcome; what a fixed gate would never make included."""
    refs = (EvidenceRef(text, f"/{text}", {text: [text], "path": text, "id": text, "line": 3}, text),)
    checks = tuple(
        Check(f"{group}{text}", outcome, text, [text], text or None, text, refs, holds_back=weighs)
        for group in ("code.", "unit:", "capability:")
        for outcome in CheckOutcome
        for weighs in (True, False)
    )
    cited = EvidenceRef("lint.json", "/issues/0", text, text)
    listed = Check("code.lint_errors_max", CheckOutcome.REFUTED, text, 3, "LINT_FAIL", text, (cited,))
    value = lint(
        issue(text, 1, text, rule=text),
        issue("a.py", 2, text, rule=text, column=4),
        {text: text},
    )
    verdict = Verdict(
        task_id=text,
        type=text,
        status=Status.FAIL,
        decided_by=text,
        checks=(*checks, listed),
        reasons=(Reason(text, text, text),),
        units=Units(1, (UnitVerdict(text, UnitOutcome.REFUTED, text, text),)),
        metrics={text: text},
        policy={"profile": text},
        subject={"kind": text, "tree": text, "base": text},
        metadata={"gate_version": text, "duration": text, "host": text},
    )
    run = CapabilityRun("code:lint", required=True, artifacts=(literal.artifact("lint.json", value),))
    return Report(verdict, (run,), {}, (text,))
