"""Render the tasks of a repository and the adapters that were found, as tables and JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.manifest import Manifest, Registry
from verigate.domain.verdict import Status
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, format_table, wrap
from verigate.reporting.outcome_style import STATUS_STYLE
from verigate.reporting.palette import Palette

TASKS_SCHEMA = "verigate:tasks-report.v1"
ADAPTERS_SCHEMA = "verigate:adapters-report.v1"


class TaskRow(Struct, frozen=True):
    """One task of ``gate list``. ``status`` is None without an intact published verdict; ``note`` says why."""

    task_id: str
    type: str
    status: Status | None = None
    finished: str | None = None
    current: bool = False
    note: str = ""


def render_tasks(rows: Sequence[TaskRow], *, colour: bool = False, width: int = 100) -> str:
    """Render the tasks as a table; ``*`` marks the current one."""
    if not rows:
        return "no tasks yet; start one with `gate start`\n"
    palette = Palette(colour)
    cells = [
        (
            "*" if row.current else "",
            escape(row.task_id, limit=64),
            escape(row.type, limit=30),
            row.status.value if row.status else "not verified",
            escape(row.finished or "-", limit=40),
            escape(row.note, limit=200),
        )
        for row in rows
    ]
    head, *lines = format_table(("", "task", "type", "verdict", "finished", ""), cells, width)
    painted = [palette.paint(head, "bold")]
    for row, line in zip(rows, lines, strict=True):
        painted.append(palette.paint(line, *(STATUS_STYLE[row.status][1:] if row.status else ("dim",))))
    return "\n".join(painted) + "\n"


def tasks_document(rows: Sequence[TaskRow]) -> dict[str, Any]:
    """The tasks as a JSON value for ``gate list --json``."""
    return {
        "schema": TASKS_SCHEMA,
        "tasks": [
            {
                "task_id": row.task_id,
                "type": row.type,
                "status": row.status.value if row.status else None,
                "finished": row.finished,
                "current": row.current,
                "note": row.note,
            }
            for row in rows
        ],
    }


def render_adapters(registry: Registry, *, colour: bool = False, width: int = 100) -> str:
    """Render each capability with the adapter that serves it and the shadowed ones, then adapters and warnings."""
    palette = Palette(colour)
    width = max(width, MIN_WIDTH)
    lines: list[str] = []
    if registry.providers:
        rows = []
        for name in sorted(registry.providers):
            winner, *shadowed = registry.providers[name]
            rows.append((escape(name, limit=60), _format_label(winner), ", ".join(map(_format_label, shadowed)) or "-"))
        head, *body = format_table(("capability", "served by", "shadowed"), rows, width)
        lines += [palette.paint(head, "bold"), *body, ""]
    else:
        lines += ["no adapter provides anything", ""]
    adapters = [
        (_format_label(manifest), str(len(manifest.capabilities)), escape(manifest.folder, limit=200))
        for manifest in registry.manifests
    ]
    if adapters:
        head, *body = format_table(("adapter", "capabilities", "folder"), adapters, width)
        lines += [palette.paint(head, "bold"), *body, ""]
    warnings = [
        *registry.warnings,
        *(f"{manifest.name}: {warning}" for manifest in registry.manifests for warning in manifest.warnings),
    ]
    for warning in warnings:
        lines += wrap(f"warning: {escape(warning, limit=600)}", width, indent="  ", first="")
    return "\n".join(lines).rstrip("\n") + "\n"


def render_engines(
    engines: Sequence[Mapping[str, Any]], warnings: Sequence[str], *, colour: bool = False, width: int = 100
) -> str:
    """Render the engines of verifiers: what each is, where it is from, and what it declares. Engines are as listed."""
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    rows = []
    for engine in engines:
        name = str(engine["type"]).replace("_", "-")
        flags = engine.get("capabilities", {})
        declared = ", ".join(flag for flag, value in flags.items() if value is True) or "-"
        origin = str(engine["origin"]) + (", in place of another" if engine["overrides"] else "")
        label = str(engine.get("label") or f"unusable: {engine.get('problem', '')}")
        rows.append((escape(name, limit=40), escape(label, limit=60), origin, escape(declared, limit=200)))
    head, *body = format_table(("engine", "what it is", "from", "declares"), rows, width)
    lines = [palette.paint(head, "bold"), *body]
    for warning in warnings:
        lines += wrap(f"warning: {escape(warning, limit=600)}", width, indent="  ", first="")
    return "\n".join(lines) + "\n"


def _format_label(manifest: Manifest) -> str:
    return f"{escape(manifest.name, limit=40)} {escape(manifest.version, limit=20)} ({manifest.origin.value})"


def adapters_document(registry: Registry) -> dict[str, Any]:
    """The registry as a JSON value for ``gate adapters --json``."""
    return {
        "schema": ADAPTERS_SCHEMA,
        "capabilities": {
            name: {
                "served_by": providers[0].name,
                "origin": providers[0].origin.value,
                "shadowed": [{"name": item.name, "origin": item.origin.value} for item in providers[1:]],
            }
            for name, providers in sorted(registry.providers.items())
            if providers
        },
        "adapters": [_adapter_document(manifest) for manifest in registry.manifests],
        "warnings": list(registry.warnings),
    }


def _adapter_document(manifest: Manifest) -> dict[str, Any]:
    return {
        "name": manifest.name,
        "version": manifest.version,
        "description": manifest.description,
        "origin": manifest.origin.value,
        "folder": manifest.folder,
        "entry": manifest.entry_path,
        "digest": manifest.digest,
        "capabilities": [capability.name for capability in manifest.capabilities],
        "sandbox": {
            "tools": list(manifest.sandbox.tools),
            "timeout": manifest.sandbox.timeout_s,
            "network": manifest.sandbox.network,
            "memory_mb": manifest.sandbox.memory_mb,
            "filesystem": "readonly" if manifest.sandbox.read_only else "readwrite",
        },
        "warnings": list(manifest.warnings),
    }
