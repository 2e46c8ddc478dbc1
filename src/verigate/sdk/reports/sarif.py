"""SARIF 2.1.0: findings of a linter. Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from verigate.sdk.reports.untrusted import ReportInvalid, parse_json_object, reject_malformed


@dataclass(frozen=True, slots=True, order=True)
class LintFinding:
    """One result. ``severity`` is ``error`` or ``warning``; ``line`` and ``column`` count from 1, 0 where unknown."""

    path: str
    line: int
    column: int
    rule: str
    severity: str
    message: str
    tool: str


@dataclass(frozen=True, slots=True)
class SarifReport:
    """All runs of one log. ``examined`` are the artifacts that the log lists, with or without findings."""

    findings: tuple[LintFinding, ...]
    tools: tuple[tuple[str, str | None], ...]
    examined: tuple[str, ...]


@reject_malformed
def parse_sarif(raw: bytes, tool: str) -> SarifReport:
    """Read the findings, sorted, without suppressed and passing results. Raises ReportInvalid, also for failed runs."""
    log = parse_json_object(raw, tool)
    if log.get("version") != "2.1.0" or not isinstance(log.get("runs"), list):
        raise ReportInvalid(f"the report of {tool} is not SARIF 2.1.0")
    findings: list[LintFinding] = []
    tools: list[tuple[str, str | None]] = []
    examined: set[str] = set()
    for run in log["runs"]:
        driver = _at(run, "tool", "driver")
        name = driver.get("name")
        if not isinstance(name, str):
            raise ReportInvalid(f"the report of {tool} has a run without tool.driver.name")
        for invocation in run.get("invocations") or []:
            if isinstance(invocation, dict) and invocation.get("executionSuccessful") is False:
                raise ReportInvalid(f"{name} reports that its run failed")
        version = driver.get("semanticVersion") or driver.get("version")
        tools.append((name, version if isinstance(version, str) else None))
        artifacts = [_uri(item.get("location")) for item in run.get("artifacts") or [] if isinstance(item, dict)]
        examined.update(path for path in artifacts if path)
        findings += _findings(run, driver, name, artifacts, tool)
    return SarifReport(tuple(sorted(findings)), tuple(sorted(tools, key=str)), tuple(sorted(examined)))


def _findings(
    run: dict[str, Any], driver: dict[str, Any], name: str, artifacts: list[str], tool: str
) -> Iterator[LintFinding]:
    rules = [rule for rule in driver.get("rules") or [] if isinstance(rule, dict)]
    levels = {str(rule.get("id")): _at(rule, "defaultConfiguration").get("level", "warning") for rule in rules}
    listed = run.get("results")
    if not isinstance(listed, list):
        raise ReportInvalid(f"the report of {tool} has a run without results")
    for result in listed:
        if not isinstance(result, dict):
            raise ReportInvalid(f"the report of {tool} has a result that is not an object")
        rule = str(result.get("ruleId") or _at(result, "rule").get("id") or "")
        level = result.get("level") or levels.get(rule, "warning")
        if level == "none" or result.get("kind", "fail") != "fail" or result.get("suppressions"):
            continue
        location: Any = next(iter(result.get("locations") or []), {})
        physical = _at(location, "physicalLocation")
        region = _at(physical, "region")
        place = _at(physical, "artifactLocation")
        index = place.get("index")
        path = _uri(place) or (artifacts[index] if isinstance(index, int) and 0 <= index < len(artifacts) else "")
        yield LintFinding(
            path,
            _number(region.get("startLine")),
            _number(region.get("startColumn")),
            rule,
            "error" if level == "error" else "warning",
            str(_at(result, "message").get("text") or ""),
            name,
        )


def _at(holder: Any, *names: str) -> dict[str, Any]:
    for name in names:
        holder = holder.get(name) if isinstance(holder, dict) else None
    return holder if isinstance(holder, dict) else {}


def _uri(location: Any) -> str:
    uri = location.get("uri") if isinstance(location, dict) else None
    if not isinstance(uri, str):
        return ""
    return unquote(urlsplit(uri).path if uri.startswith("file:") else uri)


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
