"""The parts of README.md and docs/ that are made from the program itself.

A part stands between ``<!-- generated: NAME -->`` and ``<!-- generated: end -->``. A test holds every part equal to
what this module makes; ``.venv/bin/python tests/support/document_parts.py`` writes them anew, and the manual page.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import man_page
import msgspec
from escape_table import read_attempts

import verigate
from verigate.cli.app import COMMANDS, gate
from verigate.config import schemas
from verigate.conformance.finding_codes import CODES
from verigate.conformance.kit import CHECKS, DEFINITION, DESTRUCTIVE_CHECKS, ENTRY, FIXTURES, MANIFEST, TOOL_CHECKS
from verigate.domain.agent_host import GUARDED_HOSTS, SUPPORTED_HOSTS
from verigate.domain.engine import EngineServices, read_capabilities
from verigate.domain.media_primitives import PRIMITIVES, WELL_KNOWN
from verigate.domain.rules import RULES, RuleSpec, Stricter
from verigate.domain.standard_artifacts import BY_SPEC, STANDARD
from verigate.errors import GateError
from verigate.integrations.ci.command import render_help as ci_help_text
from verigate.integrations.mcp.tools import make_tools as mcp_server_tools
from verigate.reporting.agent_advice import WAY_OUT
from verigate.reporting.exit_codes import EXIT_CODES
from verigate.reporting.formats import FORMATS
from verigate.reporting.reasons import GATE_CHECKS, REASONS
from verigate.verifier.engines import BUILTIN, find_engine

ROOT = Path(__file__).resolve().parents[2]
PART = re.compile(r"(<!-- generated: (?!end)([a-z0-9-]+) -->\n)(.*?)(<!-- generated: end -->)", re.DOTALL)
WIDTH = 100


def pages() -> tuple[Path, ...]:
    """Every page of the documentation, and the skills for agents, which are pages too."""
    top = (
        ROOT / name
        for name in ("AGENTS.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")
    )
    return (*top, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / ".agents" / "skills").rglob("*.md")))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table. A vertical bar in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def command_at(path: Sequence[str]) -> tuple[click.Command, click.Context]:
    """The command that the words after ``gate`` name, and its context."""
    command: click.Command = gate
    context = click.Context(gate, info_name="gate", terminal_width=WIDTH, **gate.context_settings)
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(context, name)
        assert found is not None
        command = found
        context = click.Context(command, info_name=name, parent=context, terminal_width=WIDTH)
    return command, context


def _help(path: Sequence[str]) -> str:
    command, context = command_at(path)
    return command.get_help(context)


def _text_block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"


def help_of_gate() -> str:
    """``gate --help``."""
    return _text_block(_help(()))


def commands() -> str:
    """A section with its help for every command."""
    sections = ((name, "\n".join(_text_block(_help(path)) for path in command_paths(name))) for name in COMMANDS)
    return "\n".join(f"## gate {name}\n\n{text}" for name, text in sections)


def command_paths(name: str) -> list[tuple[str, ...]]:
    """A command and, of a group, each of its own."""
    context = click.Context(gate, info_name="gate")
    command = gate.get_command(context, name)
    below = command.list_commands(context) if isinstance(command, click.Group) else []
    return [(name,), *((name, inner) for inner in below)]


_DIRECTION = {
    Stricter.HIGHER: "the higher",
    Stricter.LOWER: "the lower",
    Stricter.TRUE: "true",
    Stricter.FALSE: "false",
    Stricter.UNION: "both together",
    Stricter.NEITHER: "—",
}


def _json(path: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / path).read_text("utf-8"))
    return {name: entry for name, entry in document.items() if not name.startswith("$")}


def _threshold(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"] if word is not None)
    kinds = schema.get("type", "object")
    kind = next(k for k in ([kinds] if isinstance(kinds, str) else kinds) if k != "null")
    low, high = schema.get("minimum"), schema.get("maximum")
    bounds = f" {low} to {high}" if high is not None else f" ≥ {low}" if low is not None else ""
    inner = schema.get("items", schema).get("properties", {})
    keys = f" with {', '.join(f'`{key}`' for key in inner)}" if inner else ""
    named = {"array": "list of objects" if inner else "list", "object": "object"}
    return named.get(kind, kind) + keys + bounds


def rule_keys() -> str:
    """One table of rule keys for each domain."""
    definitions = schemas.bundle_schema("profiles")["$defs"]
    texts, own = definitions["rules"]["properties"], definitions["profile"]["properties"]
    rows: list[tuple[str, ...]] = [(f"`{key}`", schema["description"]) for key, schema in own.items()]
    parts = [f"### The profile itself\n\n{table(('key', 'what it is'), rows)}"]
    for domain in dict.fromkeys(spec.domain for spec in RULES.values()):
        rows = [_rule_row(spec, texts[spec.key]) for spec in RULES.values() if spec.domain == domain]
        head = ("key", "threshold", "requires", "reads", "stricter is")
        parts.append(f"### Domain {domain}\n\n{table(head, rows)}")
    return "\n".join(parts)


def _rule_row(spec: RuleSpec, schema: Mapping[str, Any]) -> tuple[str, ...]:
    reads = ", ".join(f"`{BY_SPEC[spec_id].path}`" for spec_id in spec.reads)
    return (
        f"`{spec.key}`",
        _threshold(schema),
        str(schema.get("description", "")),
        reads or ("setting" if spec.setting else "see below"),
        _DIRECTION[spec.stricter],
    )


def shipped_profiles() -> str:
    """The shipped profiles with what each of them sets itself."""
    rows = []
    for name, entry in _json("config/verification.profiles.json").items():
        extends = entry.get("extends", ())
        parents = [extends] if isinstance(extends, str) else extends
        own = {key: value for key, value in entry.items() if key not in {"extends", "description"}}
        sets = ", ".join(f"`{key}: {json.dumps(value)}`" for key, value in own.items()) or "—"
        rows.append((f"`{name}`", ", ".join(f"`{p}`" for p in parents) or "—", entry["description"], sets))
    return table(("profile", "extends", "what it requires", "sets"), rows)


def shipped_types() -> str:
    """The shipped task types with their capabilities; optional ones in parentheses."""
    rows = []
    for name, entry in _json("config/adapter-plan.json").items():
        order = ", ".join(f"`{c}`" if c in entry["required"] else f"(`{c}`)" for c in entry["order"])
        rows.append((f"`{name}`", order))
    return table(("task type", "capabilities in order; optional ones in parentheses"), rows)


def standard_artifacts() -> str:
    """Every standard artifact: path, whose it is, media spec, what it holds."""
    rows = [
        (f"`{item.path}`", f"`{item.capability}`", f"`{item.media_spec}`", _shape(item.media_spec)) for item in STANDARD
    ]
    return table(("path", "belongs to", "media spec", "holds"), rows)


def _shape(spec_id: str) -> str:
    name = spec_id.removeprefix("verigate:").removesuffix(".v1")
    if name not in schemas.list_schemas():
        return "a git patch"
    schema = schemas.bundle_schema(name)
    fields = ", ".join(f"`{field}`" for field in schema.get("required", ()))
    return f"{schema['description']} {fields and 'Required: ' + fields}".strip()


def built_in_specs() -> str:
    """Every built-in spec ID of the third source document."""
    rows = []
    for item in (*PRIMITIVES, *WELL_KNOWN):
        held = json.dumps(item.schema) if item.schema else "JSON" if item.media_type == "application/json" else "bytes"
        rows.append(
            (
                f"`{item.spec_id}`",
                f"`{item.media_type}`",
                item.profile_uri or "—",
                held if held in {"JSON", "bytes"} else f"`{held}`",
            )
        )
    return table(("spec ID", "media type", "profile", "a value is"), rows)


def schema_kinds() -> str:
    """What ``gate schema`` lists."""
    return _text_block("\n".join(schemas.list_schemas()))


def code_capabilities() -> str:
    """The code adapter's capabilities from its manifest."""
    return _capabilities("code")


def api_capabilities() -> str:
    """The API adapter's capabilities from its manifest."""
    return _capabilities("api")


def api_configuration() -> str:
    """The keys of the API adapter's configuration, one level deep where they are objects."""
    return _configuration("api")


def content_capabilities() -> str:
    """The content adapter's capabilities from its manifest."""
    return _capabilities("content")


def content_configuration() -> str:
    """The keys of the content adapter's configuration."""
    return _configuration("content")


def _configuration(adapter: str) -> str:
    properties = _json(f"adapters/{adapter}/manifest.json")["config"]["schema"]["properties"]
    rows = []
    for key, schema in properties.items():
        rows.append((f"`{key}`", _kind(schema), schema.get("description", "")))
        rows += [
            (f"`{key}.{inner}`", _kind(below), below.get("description", ""))
            for inner, below in schema.get("properties", {}).items()
        ]
    return table(("key", "value", "meaning"), rows)


def _kind(schema: Mapping[str, Any]) -> str:
    if "type" not in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"]) if "enum" in schema else "any"
    return f"{schema['type']} of {schema['items']['type']}" if "type" in schema.get("items", ()) else schema["type"]


def links_capabilities() -> str:
    """The links adapter's capabilities from its manifest."""
    return _capabilities("links")


def links_configuration() -> str:
    """The keys of the links adapter's configuration with what they are without one."""
    config = _json("adapters/links/manifest.json")["config"]
    rows = [
        (f"`{key}`", _kind(schema), _default(config["defaults"][key]), schema["description"])
        for key, schema in config["schema"]["properties"].items()
    ]
    return table(("key", "value", "without it", "meaning"), rows)


def _default(value: Any) -> str:
    long = isinstance(value, list) and len(value) > 1
    return f"{len(value)} of them" if long else f"`{json.dumps(value)}`"


def _capabilities(adapter: str) -> str:
    manifest = _json(f"adapters/{adapter}/manifest.json")
    rows = [
        (
            f"`{item['name']}`",
            item["description"],
            ", ".join(f"`{output['path']}`" for output in item["outputs"]),
            ", ".join(f"`{other}`" for other in (*item["needs"], *item.get("reads", ()))) or "—",
        )
        for item in manifest["capabilities"]
    ]
    return table(("capability", "facts", "writes", "needs or reads"), rows)


def code_formats() -> str:
    """Which report formats the code adapter's configuration takes under each key."""
    schema = _json("adapters/code/manifest.json")["config"]["schema"]
    rows = []
    for key, entry in schema["properties"].items():
        if "allOf" not in entry.get("items", {}):
            continue
        parts = (part["properties"] for part in entry["items"]["allOf"] if "properties" in part)
        narrowed = next(part["format"]["enum"] for part in parts)
        rows.append((f"`{key}`", f"`code:{key}`", ", ".join(f"`{name}`" for name in narrowed)))
    return table(("key", "replaces detection of", "formats"), rows)


def integrity_kinds() -> str:
    """What code:integrity looks for, with the weights."""
    from code_adapter.integrity.finding import KINDS

    return table(("kind", "what it is, and its weight"), ((f"`{kind}`", text) for kind, text in sorted(KINDS.items())))


def report_formats() -> str:
    """Every report format by its name."""
    return table(
        ("format", "what it is, and who reads it"), ((f"`{name}`", item.about) for name, item in FORMATS.items())
    )


def reason_codes() -> str:
    """Every reason code: who gives it, and what it means."""
    rows = ((f"`{code}`", text.source, text.meaning) for code, text in REASONS.items())
    return table(("code", "from", "what it means, and what to try"), rows)


def own_checks() -> str:
    """Every check that no rule key asks for."""
    rows = ((f"`{check}`" if check[-1] not in ":." else f"`{check}…`", text) for check, text in GATE_CHECKS.items())
    return table(("check", "holds when"), rows)


def conformance_checks() -> str:
    """Every check of the conformance kit, and the codes it may give."""
    whole = [(*about, "the adapter") for about in (MANIFEST, DEFINITION, ENTRY, FIXTURES)]
    kinds = (
        ("each capability", CHECKS),
        ("each of a tool in TOML", TOOL_CHECKS),
        ("each of a tool that is destructive", DESTRUCTIVE_CHECKS),
    )
    each = [(check.name, check.asks, check.codes, of) for of, checks in kinds for check in checks]
    rows = (
        (f"`{name}`", of, asks, ", ".join(f"`{code}`" for code in codes)) for name, asks, codes, of in (*whole, *each)
    )
    return table(("check", "of", "whether", "codes"), rows)


def conformance_codes() -> str:
    """Every code of the conformance kit."""
    return table(("code", "what was seen", "what to do"), ((f"`{code}`", *text) for code, text in CODES.items()))


def shipped_tools() -> str:
    """Every tool that ships, with what it can do; in italics what is refused in a gate run."""
    index = json.loads((ROOT / "adapters" / "tools" / "index.json").read_bytes())
    rows = [
        (
            tool["description"],
            ", ".join(
                ("*{}*" if capability["destructive"] else "{}").format(f"`{capability['name']}`")
                for capability in tool["capabilities"]
            ),
        )
        for tool in index
    ]
    return table(("tool", "capabilities; those in italics are destructive"), rows)


def exit_codes() -> str:
    """Every exit code."""
    rows = ((str(code), text.name, text.verify) for code, text in EXIT_CODES.items())
    return table(("code", "meaning", "`gate verify`"), rows)


def errors(kind: type[GateError] = GateError) -> Iterable[type[GateError]]:
    """Every class of error that has a code of its own, but for those that only adapters raise."""
    for error in kind.__subclasses__():
        if error.__module__.startswith("verigate.sdk"):
            continue
        if "code" in vars(error):
            yield error
        yield from errors(error)


def error_codes() -> str:
    """Every error without a verdict: its code, its exit code, what it is."""
    for module in pkgutil.walk_packages(verigate.__path__, "verigate."):
        # Whoever else was loaded, the classes are there.
        if not module.name.startswith("verigate.sdk") and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    rows = (
        (f"`{error.code}`", str(error.exit_code), re.sub(r"\s+", " ", (error.__doc__ or "").strip()))
        for error in sorted(errors(), key=lambda error: (error.exit_code, error.code))
    )
    return table(("code", "exit code", "what happened"), rows)


def ci_help() -> str:
    """``gate-ci --help``."""
    return _text_block(ci_help_text())


def mcp_tools() -> str:
    """The tools of ``gate mcp`` with their arguments."""
    rows = (
        (
            f"`{tool.name}`",
            ", ".join(f"`{name}`" for name in tool.takes.document["properties"]) or "—",
            tool.description,
        )
        for tool in mcp_server_tools(schemas.bundle_schema("verdict")).values()
    )
    return table(("tool", "arguments", "what the agent reads about it"), rows)


def sdk_names() -> str:
    """What verigate.sdk offers to authors of adapters: each name as it is called, and what its docstring says first."""
    import inspect

    from verigate import sdk

    rows = []
    for name in sdk.__all__:
        offered = getattr(sdk, name)
        if inspect.isfunction(offered):
            parameters = inspect.signature(offered).parameters.values()
            shown = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters]
            keywords = [index for index, p in enumerate(parameters) if p.kind is p.KEYWORD_ONLY]
            if keywords:
                shown.insert(keywords[0], "*")
            rows.append((f"`{name}({', '.join(shown)})`", _first_words(offered)))
        elif inspect.isclass(offered):
            rows.append((f"`{name}`", _first_words(offered)))
    return table(("name", "what it is"), rows)


def _first_words(offered: object) -> str:
    first = (offered.__doc__ or "").strip().split("\n\n")[0]
    return re.sub(r"\s+", " ", first).replace("``", "`")


def engines() -> str:
    """A row for each engine that ships: what it is, and the flags that it declares."""
    services = EngineServices({}, None, "", str, float)
    flags = ("json_output", "response_schema", "session_resume", "cost_reporting", "trust_folder")
    rows = []
    for name in BUILTIN:
        engine = find_engine(name, services, BUILTIN)
        declared = msgspec.to_builtins(read_capabilities(engine))
        mine = [*(flag for flag in flags if declared[flag])]
        mine += [flag for flag, value in declared.items() if flag not in flags and value is True]
        rows.append(
            (
                f"`{engine.description.name}`",
                engine.description.label,
                ", ".join(f"`{flag}`" for flag in mine) or "none",
            )
        )
    return table(("engine", "what it is", "flags"), rows)


def supported_hosts() -> str:
    """The hosts in which the gate can be installed: what holds a turn back, what refuses tool calls, what was tried."""
    head = ("host", "file", "end of a turn", "blocks by", "refuses tool calls by", "tested with")
    rows = (
        (
            f"[{host.name}]({host.source})",
            _code(host.settings),
            host.ends_by or "no event",
            host.blocks_by or "—",
            host.refuses_by or "—",
            f"the program, {host.tried}" if host.tried else "its documentation",
        )
        for host in SUPPORTED_HOSTS
    )
    return table(head, rows)


def agent_hosts() -> str:
    """Every host of coding agents with the files that are guarded, the supported ones first."""
    return table(("host", "guarded"), ((host.name, ", ".join(map(_code, host.guarded))) for host in GUARDED_HOSTS))


def ways_out() -> str:
    """Every reason code with what an agent does about it."""
    return table(("code", "what to do"), ((f"`{code}`", text) for code, text in WAY_OUT.items()))


def escapes() -> str:
    """What was tried to leave a sandbox, and how it ends."""
    programs = {"c": "C", "py": "Python", "sh": "Bash", "node": "Node"}
    rows = (
        (programs[each.program], each.what, each.outside.replace("-", "–"), each.whole, each.landlock)
        for each in read_attempts()
    )
    return table(("by", "attempt", "without", "whole", "landlock"), rows)


def _code(text: str) -> str:
    return f"`{text}`"


PARTS: Mapping[str, Callable[[], str]] = {
    "help": help_of_gate,
    "commands": commands,
    "rule-keys": rule_keys,
    "shipped-profiles": shipped_profiles,
    "shipped-types": shipped_types,
    "standard-artifacts": standard_artifacts,
    "built-in-specs": built_in_specs,
    "schema-kinds": schema_kinds,
    "api-capabilities": api_capabilities,
    "api-configuration": api_configuration,
    "code-capabilities": code_capabilities,
    "content-capabilities": content_capabilities,
    "content-configuration": content_configuration,
    "code-formats": code_formats,
    "integrity-kinds": integrity_kinds,
    "links-capabilities": links_capabilities,
    "links-configuration": links_configuration,
    "report-formats": report_formats,
    "reason-codes": reason_codes,
    "own-checks": own_checks,
    "conformance-checks": conformance_checks,
    "conformance-codes": conformance_codes,
    "exit-codes": exit_codes,
    "tools": shipped_tools,
    "engines": engines,
    "error-codes": error_codes,
    "ci-help": ci_help,
    "mcp-tools": mcp_tools,
    "supported-hosts": supported_hosts,
    "ways-out": ways_out,
    "agent-hosts": agent_hosts,
    "sdk-names": sdk_names,
    "escapes": escapes,
}


def renewed(text: str) -> str:
    """``text`` with every generated part made anew. Raises KeyError for a part that nothing makes."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[4]}", text)


def main() -> int:
    """Write every page whose parts have changed; returns 0."""
    for page in pages():
        text = page.read_text("utf-8")
        if (anew := renewed(text)) != text:
            page.write_text(anew, "utf-8")
            sys.stdout.write(f"renewed {page.relative_to(ROOT)}\n")
    manual = ROOT / man_page.PATH
    if not manual.is_file() or manual.read_text("utf-8") != man_page.make_man_page():
        manual.parent.mkdir(exist_ok=True)
        manual.write_text(man_page.make_man_page(), "utf-8")
        sys.stdout.write(f"renewed {man_page.PATH}\n")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "adapters" / "code" / "src"))
    sys.exit(main())
