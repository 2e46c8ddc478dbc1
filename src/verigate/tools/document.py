"""Build a ``Tool`` from the document of a tool adapter's file. The schema and ``rules.find_faults`` must accept it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.tools.model import (
    MANY,
    Category,
    Command,
    Effect,
    Execution,
    Expansion,
    FileDomain,
    Render,
    Report,
    ReportFormat,
    Slot,
    SlotType,
    Tool,
    ToolCapability,
)

REPORT_FIELDS = ("path", "line", "column", "rule", "severity", "message")
"""The parts of a finding, in the formats ``json`` and ``lines``."""


def to_tool(document: Mapping[str, Any]) -> Tool:
    """Build the tool adapter that a document declares."""
    adapter = document["adapter"]
    domains = {item["name"]: _read_domain(item) for item in document["domains"]}
    capabilities = tuple(_read_capability(item, domains) for item in document["capabilities"])
    return Tool(
        name=adapter["name"],
        aliases=tuple(adapter["aliases"]),
        domains=tuple(domains.values()),
        capabilities=capabilities,
        version=adapter.get("version", "0"),
        description=adapter.get("description", ""),
        sandbox=document.get("sandbox", {}),
        install=adapter.get("install", ""),
    )


def _read_domain(item: Mapping[str, Any]) -> FileDomain:
    return FileDomain(
        item["name"],
        item.get("description", ""),
        item.get("match") == "any",
        tuple(text.lower() for text in item.get("extensions", ())),
        tuple(text.lower() for text in item.get("mimetypes", ())),
        tuple(item.get("names", ())),
    )


def _read_capability(item: Mapping[str, Any], domains: Mapping[str, FileDomain]) -> ToolCapability:
    return ToolCapability(
        name=item["name"],
        domain=domains[item["domain"]],
        triggers=tuple(item["triggers"]),
        description=item["description"],
        destructive=item["destructive"],
        command=_read_command(item["command"]),
        slots=tuple(_read_slot(name, slot) for name, slot in item["slots"].items()),
        report=_read_report(item["report"]) if "report" in item else None,
        writes_subject=item.get("writes_subject", False),
    )


def _read_command(item: Mapping[str, Any]) -> Command:
    return Command(
        base=item["base"],
        args=tuple(item.get("args", ())),
        positional_order=tuple(item.get("positional_order", ())),
        execution=Execution(item.get("execution", Execution.SINGLE)),
        flags_after=item.get("flags_after"),
        end_of_options=item.get("end_of_options"),
        version=tuple(item.get("version", ("--version",))),
        writes=tuple(item.get("writes", ())),
        accepts=tuple(item.get("accepts", ())),
        removes_unfinished=item.get("removes_unfinished", False),
        batches=item.get("batches", False),
    )


def _read_slot(name: str, item: Mapping[str, Any]) -> Slot:
    cardinality = item.get("cardinality", 1)
    return Slot(
        name=name,
        category=Category(item["category"]),
        type=SlotType(item["type"]),
        required=item["required"],
        desc=item["desc"],
        render=Render(item["render"]),
        cardinality=MANY if cardinality == MANY else int(cardinality),
        expansion=Expansion(item.get("expansion", Expansion.INLINE)),
        flag=item.get("flag"),
        default=item.get("default"),
        keywords=tuple(item.get("keywords", ())),
        values=tuple(item.get("values", ())),
        format=item.get("format"),
        units=dict(item.get("units", {})),
        effect=Effect(item["effect"]) if "effect" in item else None,
        synonyms=dict(item.get("synonyms", {})),
        separator=item.get("separator"),
        limits={trigger: tuple(numbers) for trigger, numbers in item.get("limits", {}).items()},
        not_after={trigger: tuple(words) for trigger, words in item.get("not_after", {}).items()},
        same_folder=tuple(item.get("same_folder", ())),
        extensions=tuple(text.lower() for text in item.get("extensions", ())),
        adds={end.lower(): tuple(words) for end, words in item.get("adds", {}).items()},
        drops={end.lower(): tuple(words) for end, words in item.get("drops", {}).items()},
    )


def _read_report(item: Mapping[str, Any]) -> Report:
    return Report(
        format=ReportFormat(item["format"]),
        source=item.get("source", "stdout"),
        clean=tuple(item.get("clean", (0,))),
        found=tuple(item.get("found", (1,))),
        findings=item.get("findings", ""),
        fields={name: item[name] for name in REPORT_FIELDS if name in item},
        errors=tuple(item.get("errors", ())),
        pattern=item.get("pattern"),
        skip=item.get("skip"),
        lists=tuple(item.get("lists", ())),
        examined=item.get("examined"),
        skipped=item.get("skipped"),
    )
